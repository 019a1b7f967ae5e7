/** Types, kinds, and equality of whole structures. */
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { any, text } from '../functions/parameters.ts';
import { isList, isMap, kindOf, typeOf, type GoMap } from '../values/kind.ts';
import { mapGet, mapHas, mapKeys, mapSize } from '../values/map.ts';
import { numberKind, rawNumber } from '../values/number.ts';

/** How deep structures are followed, in case one contains itself. */
const maxDepth = 1_000;

/** Tells whether two values have the same type and the same contents. */
export function deepEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (a === null || b === null || a === undefined || b === undefined) return (a ?? null) === (b ?? null);
  if (typeOf(a) !== typeOf(b)) return false;
  if (depth > maxDepth) throw new Error('values are nested too deep to compare');
  if (numberKind(a) !== null) return rawNumber(a) === rawNumber(b);
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((item: unknown, index: number) => deepEqual(item, b[index], depth + 1));
  }
  if (isMap(a) && isMap(b)) return sameMaps(a, b, depth);
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  return String(a) !== '[object Object]' && String(a) === String(b);
}

function sameMaps(a: GoMap, b: GoMap, depth: number): boolean {
  if (mapSize(a) !== mapSize(b)) return false;
  return mapKeys(a).every((key) => mapHas(b, key) && deepEqual(mapGet(a, key), mapGet(b, key), depth + 1));
}

/** The functions by name. */
export const reflections: Readonly<Record<string, TemplateFunction>> = {
  deepEqual: declare([any, any], (a, b) => deepEqual(a, b)),
  kindIs: declare([text, any], (kind, value) => kindOf(value) === kind),
  kindOf: declare([any], kindOf),
  typeIs: declare([text, any], (type, value) => typeOf(value) === type),
  typeIsLike: declare([text, any], (type, value) => typeOf(value) === type || typeOf(value) === `*${type}`),
  typeOf: declare([any], typeOf),
};
