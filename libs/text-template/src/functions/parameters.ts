/** Types that parameters of template functions can have, with what a template may pass for them. */
import { elementTypeOf, isList, isMap, type GoMap } from '../values/kind.ts';
import { integerOf, isFloatKind, numberKind, rawNumber, TypedNumber } from '../values/number.ts';

/** Which constants of the template's text a parameter takes. */
export type ConstantKind = 'any' | 'string' | 'integer' | 'float' | 'bool' | 'none';

/** One type of parameter; `T` is what the function gets. */
export interface Parameter<T> {
  /** Go's name of the type, which messages show. */
  readonly type: string;
  readonly constant: ConstantKind;
  /** What nil arrives as; undefined where nil is refused. */
  readonly nil: T | undefined;
  /** What a value arrives as; undefined where it is refused. */
  readonly read: (value: unknown) => T | undefined;
}

/** Anything. Nil and no value arrive as null. */
export const any: Parameter<unknown> = { type: 'interface {}', constant: 'any', nil: null, read: (value) => value };

/** Anything, with numbers as JavaScript calculates with them; for functions and methods of a host. */
export const plain: Parameter<unknown> = { type: 'interface {}', constant: 'any', nil: null, read: unwrapNumber };

/** A number that host code can calculate with; other values stay what they are. */
export function unwrapNumber(value: unknown): unknown {
  return value instanceof TypedNumber && value.constructor === TypedNumber ? value.value : value;
}

/** A string. */
export const text: Parameter<string> = {
  type: 'string',
  constant: 'string',
  nil: undefined,
  read: (value) => (typeof value === 'string' ? value : undefined),
};

/** A boolean. */
export const bool: Parameter<boolean> = {
  type: 'bool',
  constant: 'bool',
  nil: undefined,
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** An `int`; no other kind of integer is taken for it. */
export const integer: Parameter<number> = integerParameter('int', (value) => numberKind(value) === 'int');

/** A `uint32`. */
export const uint32: Parameter<number> = integerParameter('uint32', (value) => numberKind(value) === 'uint32');

function integerParameter(type: string, accepts: (value: unknown) => boolean): Parameter<number> {
  const read = (value: unknown): number | undefined => (accepts(value) ? Number(integerOf(value)) : undefined);
  return { type, constant: 'integer', nil: undefined, read };
}

/** A `float64`. */
export const float: Parameter<number> = {
  type: 'float64',
  constant: 'float',
  nil: undefined,
  read: (value) => {
    const kind = numberKind(value);
    return kind !== null && isFloatKind(kind) ? Number(rawNumber(value)) : undefined;
  },
};

/** A map with string keys and values of any type. */
export const map: Parameter<GoMap> = {
  type: 'map[string]interface {}',
  constant: 'none',
  nil: {},
  read: (value) => (isMap(value) && elementTypeOf(value) === 'interface {}' ? value : undefined),
};

/** A list of anything. */
export const list: Parameter<readonly unknown[] | Uint8Array> = {
  type: '[]interface {}',
  constant: 'none',
  nil: [],
  read: (value) => (isList(value) ? value : undefined),
};
