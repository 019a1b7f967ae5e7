/**
 * Representation of Go's number types in JavaScript.
 *
 * | Go | JavaScript |
 * | --- | --- |
 * | `int` | a safe integer `number`, or a `bigint` outside of ±2^53 |
 * | `float64` that is fractional, infinite, NaN, or beyond ±2^53 | a plain `number` |
 * | `float64` with an integral value (`1.0`), `int64`, `uint8` and all others | a {@link TypedNumber} |
 *
 * Values of a host therefore have their obvious type: `3` is an int, `2.5` a float. Computed values keep their type:
 * formatting `1.0` with `%d` yields `%!d(float64=1)`, as in Go.
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

/** Number types. Complex numbers are not supported. */
export type NumberKind = IntegerKind | FloatKind;

/** Integers beyond ±2^53 are `bigint`, all others `number`. */
export type Integer = number | bigint;

/**
 * A number whose Go type differs from the default for its JavaScript value. Subclasses are named types with methods
 * (`Duration`).
 */
export class TypedNumber {
  readonly kind: NumberKind;
  readonly value: Integer;
  /** Type name, as printed by `%T`. */
  readonly type: string;

  constructor(kind: NumberKind, value: Integer, type: string = kind) {
    this.kind = kind;
    this.value = value;
    this.type = type;
  }

  /** Supports arithmetic in host code. */
  valueOf(): Integer {
    return this.value;
  }
}

export function float64(value: number): number | TypedNumber {
  return Number.isSafeInteger(value) ? new TypedNumber('float64', value) : value;
}

/** Creates a Go `int`, from a value within 64 bits. */
export function int(value: Integer): Integer {
  return typeof value === 'bigint' ? narrow(value) : value;
}

export function int64(value: Integer): TypedNumber {
  return new TypedNumber('int64', typeof value === 'bigint' ? narrow(BigInt.asIntN(64, value)) : value);
}

/** Converts a `bigint` to `number` if that is exact. */
export function narrow(value: bigint): Integer {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** Returns the kind of a number, or null for other values. */
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

/** Returns the JavaScript number for a value whose {@link numberKind} is not null. */
export function rawNumber(value: unknown): Integer {
  if (value instanceof TypedNumber) return value.value;
  return value as Integer;
}

/** Returns the integer value of any integer type, or null for other values. */
export function integerOf(value: unknown): Integer | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : null;
  if (typeof value === 'bigint') return value;
  if (value instanceof TypedNumber && !isFloatKind(value.kind)) return value.value;
  return null;
}
