/** Parameter types of template functions, and the values that they accept. */
import { elementTypeOf, isMap, type GoMap } from '../values/kind.ts';
import { integerOf, isFloatKind, numberKind, rawNumber, TypedNumber } from '../values/number.ts';

/** Constant literals that a parameter accepts. */
export type ConstantKind = 'any' | 'string' | 'integer' | 'float' | 'bool' | 'none';

/** A parameter type. `T` is the type that the function receives. */
export interface Parameter<T> {
  /** Go's type name, for messages. */
  readonly type: string;
  readonly constant: ConstantKind;
  /** Value passed for nil; undefined if nil is rejected. */
  readonly nil: T | undefined;
  /** Converts an argument; undefined if it is rejected. */
  readonly read: (value: unknown) => T | undefined;
}

/** Any value. Nil and missing values become null. */
export const any: Parameter<unknown> = { type: 'interface {}', constant: 'any', nil: null, read: (value) => value };

/** Any value, with numbers converted to plain JavaScript numbers. Used for functions and methods of the host. */
export const plain: Parameter<unknown> = { type: 'interface {}', constant: 'any', nil: null, read: unwrapNumber };

/** Converts a number to a plain JavaScript number. Returns other values unchanged. */
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

/** An `int`; other integer types are rejected. */
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
