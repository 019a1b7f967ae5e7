/**
 * Representation of Go's number types in JavaScript.
 *
 * | Go | JavaScript |
 * | --- | --- |
 * | `int` | a safe integer `number`, or a `bigint` outside of ±2^53 |
 * | `float64` that is fractional, infinite, NaN, or beyond ±2^53 | a plain `number` |
 * | `float64` with an integral value (`1.0`), `int64`, `uint8` and all others | a {@link TypedNumber} |
 *
 * Host values therefore have the type one would expect: `3` is an int, and `2.5` is a float. Computed values keep their type: formatting
 * `1.0` with `%d` yields `%!d(float64=1)`, as in Go.
 */

export type IntegerKind =
  | 'int'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'uintptr';

export type FloatKind = 'float32' | 'float64';

/** Go's number types, except complex numbers, which are not supported. */
export type NumberKind = IntegerKind | FloatKind;

/** An integer value. Integers beyond ±2^53 are `bigint`, and all others are `number`. */
export type Integer = number | bigint;

/**
 * A number whose Go type differs from the default type for its JavaScript value. Subclasses, such as `Duration`, are named types with
 * methods.
 */
export class TypedNumber {
  readonly kind: NumberKind;
  readonly value: Integer;
  /** Go type name, as printed by `%T`. */
  readonly type: string;

  constructor(kind: NumberKind, value: Integer, type: string = kind) {
    this.kind = kind;
    this.value = value;
    this.type = type;
  }

  /** Allows arithmetic with this value in host code. */
  valueOf(): Integer {
    return this.value;
  }
}

export function float64(value: number): number | TypedNumber {
  return Number.isSafeInteger(value) ? new TypedNumber('float64', value) : value;
}

/** Creates a Go `int` from a value in the 64-bit range. */
export function int(value: Integer): Integer {
  return typeof value === 'bigint' ? narrow(value) : value;
}

export function int64(value: Integer): TypedNumber {
  return new TypedNumber('int64', typeof value === 'bigint' ? narrow(BigInt.asIntN(64, value)) : value);
}

/** Converts a `bigint` to a `number` if no precision is lost. */
export function narrow(value: bigint): Integer {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** Returns the Go type of a number, or null for other values. */
export function numberKind(value: unknown): NumberKind | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int' : 'float64';
  if (typeof value === 'bigint') return 'int';
  if (value instanceof TypedNumber) return value.kind;
  return null;
}

export function isFloatKind(kind: NumberKind): kind is FloatKind {
  return kind === 'float64' || kind === 'float32';
}

export function isUnsignedKind(kind: NumberKind): boolean {
  return kind.startsWith('uint');
}

/** Returns the JavaScript number for a value. The {@link numberKind} of the value must not be null. */
export function rawNumber(value: unknown): Integer {
  if (value instanceof TypedNumber) return value.value;
  return value as Integer;
}

/** Converts a value of any Go integer type to an integer. Returns null for other values. */
export function integerOf(value: unknown): Integer | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : null;
  if (typeof value === 'bigint') return value;
  if (value instanceof TypedNumber && !isFloatKind(value.kind)) return value.value;
  return null;
}
