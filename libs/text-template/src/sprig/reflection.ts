/** Template functions for types, kinds and deep equality. */
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { any, text } from '../functions/parameters.ts';
import { printValue } from '../fmt/printer.ts';
import { Visits } from '../limits/size.ts';
import { isList, isMap, reflectKind, typeOf, type GoMap } from '../values/kind.ts';
import { mapGet, mapHas, mapKeys, mapSize } from '../values/map.ts';
import { numberKind, rawNumber } from '../values/number.ts';

/** Maximum nesting depth when comparing structures. The limit is needed because structures can contain themselves. */
const maxDepth = 1_000;

/** Reports whether two values have the same type and content. Recursive calls share `visits`. */
export function deepEqual(a: unknown, b: unknown, visits = new Visits(), depth = 0): boolean {
  visits.count();
  if (a === b) return true;
  if (a === null || b === null || a === undefined || b === undefined) return (a ?? null) === (b ?? null);
  if (typeOf(a) !== typeOf(b)) return false;
  if (depth > maxDepth) throw new Error('values are nested too deep to compare');
  if (numberKind(a) !== null) return rawNumber(a) === rawNumber(b);
  if (isList(a) && isList(b)) {
    const same = (item: unknown, index: number): boolean => deepEqual(item, b[index], visits, depth + 1);
    return a.length === b.length && a.every(same);
  }
  if (isMap(a) && isMap(b)) return sameMaps(a, b, visits, depth);
  // Compare dates, versions and similar objects by their printed form.
  return typeof a === 'object' && 'String' in a && printValue(a) === printValue(b);
}

function sameMaps(a: GoMap, b: GoMap, visits: Visits, depth: number): boolean {
  if (mapSize(a) !== mapSize(b)) return false;
  return mapKeys(a).every((key) => mapHas(b, key) && deepEqual(mapGet(a, key), mapGet(b, key), visits, depth + 1));
}

export const reflections: Readonly<Record<string, TemplateFunction>> = {
  deepEqual: declare([any, any], (a, b) => deepEqual(a, b)),
  kindIs: declare([text, any], (kind, value) => reflectKind(value) === kind),
  kindOf: declare([any], reflectKind),
  typeIs: declare([text, any], (type, value) => typeOf(value) === type),
  typeIsLike: declare([text, any], (type, value) => typeOf(value) === type || typeOf(value) === `*${type}`),
  typeOf: declare([any], typeOf),
};
