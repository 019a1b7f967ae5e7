/** The template functions `len`, `index`, `slice` and `call`. */
import { quote } from '../fmt/quote.ts';
import { zeroOf } from '../values/zero.ts';
import { elementTypeOf, isList, isMap, keyTypeOf, typedList, typeOf, type GoMap } from '../values/kind.ts';
import { mapGet, mapSize } from '../values/map.ts';
import { integerOf, isFloatKind, numberKind, TypedNumber } from '../values/number.ts';
import { byteLength, encodeText, sliceBytes } from '../values/text.ts';
import { declare, declareRest, type TemplateFunction } from './declare.ts';
import { any, unwrapNumber } from './parameters.ts';

function length(value: unknown): number {
  if (typeof value === 'string') return byteLength(value);
  if (isList(value)) return value.length;
  if (isMap(value)) return mapSize(value);
  if (value === null) throw new Error('len of nil pointer');
  throw new Error(`len of type ${pointedType(value)}`);
}

/** Implements `index`: `index x 1 2` is x[1][2]. A missing map key returns the zero value of the element type. */
function indexInto(item: unknown, ...indexes: readonly unknown[]): unknown {
  if (item === null) throw new Error('index of untyped nil');
  let value: unknown = item;
  for (const index of indexes) {
    if (value === null || value === undefined) throw new Error('index of nil pointer');
    value = indexOnce(value, index);
  }
  return value;
}

function indexOnce(value: unknown, index: unknown): unknown {
  if (typeof value === 'string') {
    const bytes = encodeText(value);
    const at = position(index, bytes.length, 'string');
    return new TypedNumber('uint8', bytes[at] ?? 0);
  }
  if (isList(value)) {
    const at = position(index, value.length, 'slice');
    const element: unknown = value[at];
    return value instanceof Uint8Array ? new TypedNumber('uint8', element as number) : element;
  }
  if (isMap(value)) return indexMap(value, index);
  throw new Error(`can't index item of type ${pointedType(value)}`);
}

/** Validates an index that must refer to an existing element. */
function position(index: unknown, length: number, kind: string): number {
  const at = boundary(index, length);
  if (at === length) throw new Error(`reflect: ${kind} index out of range`);
  return at;
}

/** Converts a value of any integer type to an index between 0 and `length`, inclusive. */
function boundary(index: unknown, length: number): number {
  if (index === null) throw new Error('cannot index slice/array with nil');
  const at = integerOf(index);
  if (at === null) throw new Error(`cannot index slice/array with type ${typeOf(index)}`);
  if (at < 0 || at > length) throw new Error(`index out of range: ${at}`);
  return Number(at);
}

/** Returns the type that a pointer points to. */
function pointedType(value: unknown): string {
  return typeOf(value).replace(/^\*/, '');
}

function indexMap(map: GoMap, index: unknown): unknown {
  const keyType = keyTypeOf(map);
  if (index === null) throw new Error(`value is nil; should be of type ${keyType}`);
  const key = keyType === 'string' ? index : unwrapNumber(index);
  const kind = numberKind(index);
  const fits = keyType === 'string' ? typeof index === 'string' : kind !== null && !isFloatKind(kind);
  if (!fits && mapSize(map) >= 0) throw new Error(`value has type ${typeOf(index)}; should be ${keyType}`);
  return mapGet(map, key) ?? zeroOf(elementTypeOf(map));
}

/** Implements `slice`: `slice x 1 2` is x[1:2]. Lists also support x[1:2:3]. */
function sliceOf(item: unknown, ...indexes: readonly unknown[]): unknown {
  if (item === null) throw new Error('slice of untyped nil');
  if (indexes.length > 3) throw new Error(`too many slice indexes: ${indexes.length}`);
  if (typeof item === 'string') {
    if (indexes.length === 3) throw new Error('cannot 3-index slice a string');
    const [start, end] = bounds(indexes, byteLength(item));
    return sliceBytes(item, start, end);
  }
  if (!isList(item)) throw new Error(`can't slice item of type ${pointedType(item)}`);
  const [start, end] = bounds(indexes, item.length);
  if (item instanceof Uint8Array) return item.subarray(start, end);
  return typedList(item.slice(start, end), elementTypeOf(item));
}

function bounds(indexes: readonly unknown[], size: number): [number, number] {
  const at = [0, size, size];
  for (const [i, index] of indexes.entries()) {
    at[i] = boundary(index, size);
  }
  const [start = 0, end = size, capacity = size] = at;
  if (start > end) throw new Error(`invalid slice index: ${start} > ${end}`);
  if (indexes.length === 3 && end > capacity) throw new Error(`invalid slice index: ${end} > ${capacity}`);
  return [start, end];
}

/** Implements `call`: calls a function value, such as one in a field or map entry. */
function callValue(callee: unknown, ...args: readonly unknown[]): unknown {
  if (callee === null) throw new Error('call of nil');
  if (typeof callee !== 'function') {
    const shown = typeof callee === 'string' ? quote(callee) : 'value';
    throw new Error(`non-function ${shown} of type ${typeOf(callee)}`);
  }
  return Reflect.apply(callee, undefined, args.map(unwrapNumber)) as unknown;
}

export const accessors: Readonly<Record<string, TemplateFunction>> = {
  len: declare([any], length),
  index: declareRest([any], any, indexInto),
  slice: declareRest([any], any, sliceOf),
  call: declareRest([any], any, callValue),
};
