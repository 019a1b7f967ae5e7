/**
 * Bounds-checked access to array elements. An index out of bounds is a bug in the caller, so these functions throw. Each array type has a
 * separate function, because V8 optimizes an element access only if few array types reach it.
 */

export function byteAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index];
  if (byte === undefined) outOfBounds(index);
  return byte;
}

/** Returns a 16-bit or 32-bit element. Throws if the index is out of bounds. */
export function wordAt(words: Uint32Array | Int32Array | Uint16Array, index: number): number {
  const word = words[index];
  if (word === undefined) outOfBounds(index);
  return word;
}

export function floatAt(floats: Float64Array | Float32Array, index: number): number {
  const float = floats[index];
  if (float === undefined) outOfBounds(index);
  return float;
}

export function numberAt(numbers: readonly number[], index: number): number {
  const number = numbers[index];
  if (number === undefined) outOfBounds(index);
  return number;
}

export function itemAt<T>(list: readonly T[], index: number): T {
  if (!(index >= 0 && index < list.length)) outOfBounds(index);
  return list[index] as T;
}

function outOfBounds(index: number): never {
  throw new RangeError(`index ${index} is out of bounds`);
}
