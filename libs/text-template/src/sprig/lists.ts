/** Template functions for lists. They never modify their arguments. */
import { declare, declareRest, type TemplateFunction } from '../functions/declare.ts';
import { any, integer } from '../functions/parameters.ts';
import { Visits } from '../limits/size.ts';
import { elementTypeOf, isList, reflectKind, typedList } from '../values/kind.ts';
import { TypedNumber } from '../values/number.ts';
import { isTrue } from '../values/truth.ts';
import { toInteger } from './convert.ts';
import { deepEqual } from './reflection.ts';

/** Returns the elements of a list of any type. `name` is the calling function, for error messages. */
function elements(value: unknown, name: string): readonly unknown[] {
  if (value instanceof Uint8Array) return Array.from(value, (byte) => new TypedNumber('uint8', byte));
  if (Array.isArray(value)) return value;
  throw new Error(`Cannot ${name} on type ${reflectKind(value)}`);
}

function unique(list: readonly unknown[]): unknown[] {
  const kept: unknown[] = [];
  const scalars = new Set<unknown>();
  const visits = new Visits();
  for (const item of list) {
    if (typeof item !== 'object' || item === null) {
      if (scalars.has(item)) continue;
      scalars.add(item);
    } else if (kept.some((other) => typeof other === 'object' && deepEqual(item, other, visits))) continue;
    kept.push(item);
  }
  return kept;
}

function sliceList(list: unknown, indexes: readonly unknown[]): unknown {
  if (!isList(list)) throw new Error(`list should be type of slice or array but ${reflectKind(list)}`);
  const { length } = list;
  if (length === 0) return null;
  const start = indexes.length > 0 ? Number(toInteger(indexes[0])) : 0;
  const end = indexes.length > 1 ? Number(toInteger(indexes[1])) : length;
  if (start < 0 || end > length || start > end) throw new Error('reflect.Value.Slice: slice index out of bounds');
  const cut = list.slice(start, end);
  return cut instanceof Uint8Array ? cut : typedList(cut, elementTypeOf(list));
}

function concat(lists: readonly unknown[]): unknown[] {
  return lists.flatMap((list) => {
    if (!isList(list)) throw new Error(`Cannot concat type ${reflectKind(list)} as list`);
    return elements(list, 'concat');
  });
}

function chunk(size: number, list: readonly unknown[]): unknown[][] {
  if (size < 1) throw new Error(`invalid chunk size ${size}: must be at least 1`);
  const chunks: unknown[][] = [];
  for (let i = 0; i < list.length; i += size) chunks.push(list.slice(i, i + size));
  return typedList(chunks, '[]interface {}');
}

const one = (name: string, act: (list: readonly unknown[]) => unknown): TemplateFunction =>
  declare([any], (value) => act(elements(value, name)));

const create = declareRest([], any, (...values) => values);
const first = one('find first', (list) => list[0]);
const last = one('find last', (list) => list.at(-1));
const rest = one('find rest', (list) => list.slice(1));
const initial = one('find initial', (list) => list.slice(0, -1));
const reverse = one('find reverse', (list) => list.toReversed());
const uniq = one('find uniq', unique);
const compact = one('compact', (list) => list.filter(isTrue));
const append = declare([any, any], (list, item) => [...elements(list, 'push'), item]);
const prepend = declare([any, any], (list, item) => [item, ...elements(list, 'prepend')]);
const without = declareRest([any], any, (list, ...omitted) => {
  const visits = new Visits();
  return elements(list, 'find without').filter((item) => !omitted.some((other) => deepEqual(item, other, visits)));
});
const has = declare([any, any], (needle, list) => {
  const visits = new Visits();
  return list !== null && elements(list, 'find has').some((item) => deepEqual(needle, item, visits));
});
const slice = declareRest([any], any, (list, ...indexes) => sliceList(list, indexes));
const chunks = declare([integer, any], (size, list) => chunk(size, elements(list, 'chunk')));

export const lists: Readonly<Record<string, TemplateFunction>> = {
  list: create,
  tuple: create,
  first,
  mustFirst: first,
  last,
  mustLast: last,
  rest,
  mustRest: rest,
  initial,
  mustInitial: initial,
  reverse,
  mustReverse: reverse,
  uniq,
  mustUniq: uniq,
  compact,
  mustCompact: compact,
  append,
  push: append,
  mustAppend: append,
  mustPush: append,
  prepend,
  mustPrepend: prepend,
  without,
  mustWithout: without,
  has,
  mustHas: has,
  slice,
  mustSlice: slice,
  chunk: chunks,
  mustChunk: chunks,
  concat: declareRest([], any, (...all) => concat(all)),
};
