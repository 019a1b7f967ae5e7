/**
 * How Go's number types live in JavaScript.
 *
 * | Go | here |
 * | --- | --- |
 * | `int` | a safe integer `number`, or a `bigint` outside of ±2^53 |
 * | `float64` with a fraction, infinite, not a number, or beyond ±2^53 | a plain `number` |
 * | `float64` with an integral value (`1.0`), `int64`, `uint8` and all others | a {@link TypedNumber} |
 *
 * So what a host passes in means what it looks like (`3` is an int, `2.5` a float), and what the language computes
 * keeps its kind: `1.0` prints with `%d` as Go says it (`%!d(float64=1)`).
 */

/** Kinds of integers, signed and unsigned. */
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

/** Kinds of floating-point numbers. */
export type FloatKind = 'float32' | 'float64';

/** Kinds of numbers. Complex numbers are not supported. */
export type NumberKind = IntegerKind | FloatKind;

/** Integers beyond ±2^53 are `bigint`, all others `number`. */
export type Integer = number | bigint;

/** A number whose Go kind its JavaScript value does not show. Subclasses are named types with methods (`Duration`). */
export class TypedNumber {
  readonly kind: NumberKind;
  readonly value: Integer;
  /** Name of the type, as `%T` prints it. */
  readonly type: string;

  constructor(kind: NumberKind, value: Integer, type: string = kind) {
    this.kind = kind;
    this.value = value;
    this.type = type;
  }

  /** For host code that calculates with it. */
  valueOf(): Integer {
    return this.value;
  }
}

/** A Go `float64`. */
export function float64(value: number): number | TypedNumber {
  return Number.isSafeInteger(value) ? new TypedNumber('float64', value) : value;
}

/** A Go `int`, from a value within 64 bits. */
export function int(value: Integer): Integer {
  return typeof value === 'bigint' ? narrow(value) : value;
}

/** A Go `int64`. */
export function int64(value: Integer): TypedNumber {
  return new TypedNumber('int64', typeof value === 'bigint' ? narrow(BigInt.asIntN(64, value)) : value);
}

/** A `bigint` as `number` where that is exact. */
export function narrow(value: bigint): Integer {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** The kind of a number, or null where `value` is none. */
export function numberKind(value: unknown): NumberKind | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int' : 'float64';
  if (typeof value === 'bigint') return 'int';
  if (value instanceof TypedNumber) return value.kind;
  return null;
}

/** Tells `float32` and `float64`. */
export function isFloatKind(kind: NumberKind): kind is FloatKind {
  return kind === 'float64' || kind === 'float32';
}

/** Tells the unsigned integers. */
export function isUnsignedKind(kind: NumberKind): boolean {
  return kind.startsWith('uint');
}

/** The bare value of a number that {@link numberKind} knows. */
export function rawNumber(value: unknown): Integer {
  if (value instanceof TypedNumber) return value.value;
  return value as Integer;
}

/** The integer in `value`, whatever its integer kind; null where `value` is not an integer. */
export function integerOf(value: unknown): Integer | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : null;
  if (typeof value === 'bigint') return value;
  if (value instanceof TypedNumber && !isFloatKind(value.kind)) return value.value;
  return null;
}
