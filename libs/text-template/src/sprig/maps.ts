/** Template functions for dictionaries. As in sprig, `set`, `unset` and `merge` modify the dictionary that is passed to them. */
import { declare, declareRest, type TemplateFunction } from '../functions/declare.ts';
import { any, map, text } from '../functions/parameters.ts';
import { Visits } from '../limits/size.ts';
import { elementTypeOf, isList, isMap, typedList, typedMap, typeOf, type GoMap } from '../values/kind.ts';
import { mapDelete, mapGet, mapHas, mapKeys, mapSet } from '../values/map.ts';
import { isTrue } from '../values/truth.ts';
import { strval } from './convert.ts';

/** Maximum number of values that a deep copy can contain. */
const maxCopied = 1_000_000;

/** Maximum nesting depth for copying and merging. The limit is needed because structures can contain themselves. */
const maxDepth = 1_000;

/** Creates a dictionary from alternating keys and values. If the last value is missing, it is ''. */
function dict(values: readonly unknown[]): Map<string, unknown> {
  const made = new Map<string, unknown>();
  for (let i = 0; i < values.length; i += 2) made.set(strval(values[i]), i + 1 < values.length ? values[i + 1] : '');
  return made;
}

/** Looks up a value by a path of keys in nested dictionaries. The arguments are the keys, a default value and the dictionary. */
function dig(values: readonly unknown[]): unknown {
  if (values.length < 3) throw new Error('dig needs at least three arguments');
  const path = values.slice(0, -2);
  const fallback = values.at(-2);
  let at = asMap(values.at(-1));
  for (const [index, key] of path.entries()) {
    if (typeof key !== 'string') throw new Error(`interface conversion: interface {} is ${typeOf(key)}, not string`);
    if (!mapHas(at, key)) return fallback;
    const value = mapGet(at, key);
    if (index === path.length - 1) return value;
    at = asMap(value);
  }
  return fallback;
}

function asMap(value: unknown): GoMap {
  if (isMap(value)) return value;
  const type = value === null ? 'nil' : typeOf(value);
  throw new Error(`interface conversion: interface {} is ${type}, not map[string]interface {}`);
}

interface Merging {
  readonly overwrites: boolean;
  readonly visits: Visits;
}

/** Merges dictionaries into `target`, including nested ones. Depending on `how`, sources fill only empty values or overwrite all values. */
function merge(target: GoMap, sources: readonly GoMap[], how: Merging, depth = 0): GoMap {
  const { overwrites, visits } = how;
  if (depth > maxDepth) throw new Error('dictionaries are nested too deep to merge');
  for (const source of sources) {
    for (const key of mapKeys(source)) {
      if (typeof key !== 'string') continue;
      visits.count();
      const before = mapGet(target, key);
      const value = mapGet(source, key);
      if (overwrites ? !(isMap(before) && isMap(value)) : value !== null && !isTrue(before)) mapSet(target, key, value);
      else if (before !== value && isMap(before) && isMap(value)) merge(before, [value], how, depth + 1);
    }
  }
  return target;
}

/** Returns a deep copy of a value, including all nested lists and dictionaries. */
function deepCopy(value: unknown, visits = new Visits(maxCopied), depth = 0): unknown {
  visits.count();
  if (depth > maxDepth) throw new Error('values are nested too deep to copy');
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => deepCopy(item, visits, depth + 1));
    return typedList(items, elementTypeOf(value));
  }
  if (isList(value)) return Uint8Array.from(value as Uint8Array);
  if (!isMap(value)) return value;
  const copy = typedMap(new Map<unknown, unknown>(), elementTypeOf(value));
  for (const key of mapKeys(value)) copy.set(key, deepCopy(mapGet(value, key), visits, depth + 1));
  return copy;
}

function picked(from: GoMap, keep: (key: unknown) => boolean): Map<unknown, unknown> {
  return new Map(
    mapKeys(from)
      .filter(keep)
      .map((key) => [key, mapGet(from, key)]),
  );
}

function pick(from: GoMap, names: readonly string[]): Map<unknown, unknown> {
  return new Map(names.filter((name) => mapHas(from, name)).map((name) => [name, mapGet(from, name)]));
}

const copy = declare([any], (value) => {
  if (value === null) throw new Error('nil cannot be copied');
  return deepCopy(value);
});
const fill = declareRest([map], map, (target, ...sources) =>
  merge(target, sources, { overwrites: false, visits: new Visits() }),
);
const overwrite = declareRest([map], map, (target, ...sources) =>
  merge(target, sources, { overwrites: true, visits: new Visits() }),
);

export const maps: Readonly<Record<string, TemplateFunction>> = {
  dict: declareRest([], any, (...values) => dict(values)),
  get: declare([map, text], (from, key) => mapGet(from, key) ?? (mapHas(from, key) ? null : '')),
  set: declare([map, text, any], (target, key, value) => {
    mapSet(target, key, value);
    return target;
  }),
  unset: declare([map, text], (target, key) => {
    mapDelete(target, key);
    return target;
  }),
  hasKey: declare([map, text], mapHas),
  pluck: declareRest([text], map, (key, ...all) =>
    all.filter((one) => mapHas(one, key)).map((one) => mapGet(one, key)),
  ),
  keys: declareRest([], map, (...all) => typedList(all.flatMap(mapKeys), 'string')),
  pick: declareRest([map], text, (from, ...names) => pick(from, names)),
  omit: declareRest([map], text, (from, ...names) => picked(from, (key) => !names.includes(String(key)))),
  values: declare([map], (from) => mapKeys(from).map((key) => mapGet(from, key))),
  dig: declareRest([], any, (...values) => dig(values)),
  merge: fill,
  mustMerge: fill,
  mergeOverwrite: overwrite,
  mustMergeOverwrite: overwrite,
  deepCopy: copy,
  mustDeepCopy: copy,
};
