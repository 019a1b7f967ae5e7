/** Parameter types of template functions, and the conversion of values to these types. */
import { elementTypeOf, isMap, type GoMap } from '../values/kind.ts';
import { integerOf, isFloatKind, numberKind, rawNumber, TypedNumber } from '../values/number.ts';

/** Types of constant literals that a parameter accepts. */
export type ConstantKind = 'any' | 'string' | 'integer' | 'float' | 'bool' | 'none';

/** Type of a template function's parameter. `T` is the type that the function receives. */
export interface Parameter<T> {
  /** Name of the type in Go, for error messages. */
  readonly type: string;
  readonly constant: ConstantKind;
  /** Value to pass for nil. Undefined means that nil is rejected. */
  readonly nil: T | undefined;
  /** Converts an argument. Returns undefined to reject the argument. */
  readonly read: (value: unknown) => T | undefined;
}

/** Accepts any value. Nil and missing values become null. */
export const any: Parameter<unknown> = { type: 'interface {}', constant: 'any', nil: null, read: (value) => value };

/** Accepts any value and converts numbers to plain JavaScript numbers. Used for functions and methods of the host. */
export const plain: Parameter<unknown> = { type: 'interface {}', constant: 'any', nil: null, read: unwrapNumber };

/** Converts a number to a plain JavaScript number. Returns any other value unchanged. */
export function unwrapNumber(value: unknown): unknown {
  return value instanceof TypedNumber && value.constructor === TypedNumber ? value.value : value;
}

export const text: Parameter<string> = {
  type: 'string',
  constant: 'string',
  nil: undefined,
  read: (value) => (typeof value === 'string' ? value : undefined),
};

export const bool: Parameter<boolean> = {
  type: 'bool',
  constant: 'bool',
  nil: undefined,
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** Accepts a Go `int` and rejects other integer types. */
export const integer: Parameter<number> = integerParameter('int', (value) => numberKind(value) === 'int');

export const uint32: Parameter<number> = integerParameter('uint32', (value) => numberKind(value) === 'uint32');

function integerParameter(type: string, accepts: (value: unknown) => boolean): Parameter<number> {
  const read = (value: unknown): number | undefined => (accepts(value) ? Number(integerOf(value)) : undefined);
  return { type, constant: 'integer', nil: undefined, read };
}

export const float: Parameter<number> = {
  type: 'float64',
  constant: 'float',
  nil: undefined,
  read: (value) => {
    const kind = numberKind(value);
    return kind !== null && isFloatKind(kind) ? Number(rawNumber(value)) : undefined;
  },
};

export const map: Parameter<GoMap> = {
  type: 'map[string]interface {}',
  constant: 'none',
  nil: {},
  read: (value) => (isMap(value) && elementTypeOf(value) === 'interface {}' ? value : undefined),
};
