/** Comparison functions `eq`, `ne`, `lt`, `le`, `gt` and `ge`. They compare values of the same basic kind. */
import { printValue } from '../fmt/printer.ts';
import { sprintf } from '../fmt/sprintf.ts';
import { isList, isMap, typeOf } from '../values/kind.ts';
import { isFloatKind, numberKind, rawNumber } from '../values/number.ts';
import { compareText } from '../values/text.ts';
import { declare, declareRest, type TemplateFunction } from './declare.ts';
import { any } from './parameters.ts';

type Basic = 'bool' | 'int' | 'float' | 'string' | 'other';

function basicKind(value: unknown): Basic {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  const kind = numberKind(value);
  if (kind === null) return 'other';
  return isFloatKind(kind) ? 'float' : 'int';
}

function incompatible(a: unknown, b: unknown): Error {
  return new Error(`incompatible types for comparison: ${typeOf(a)} and ${typeOf(b)}`);
}

/** Reports whether two values are equal. Throws if they are not comparable. */
function equal(a: unknown, b: unknown): boolean {
  const left = basicKind(a);
  if (left !== basicKind(b)) {
    if (a === null || b === null) return a === b;
    throw incompatible(a, b);
  }
  if (left === 'string' || left === 'bool') return a === b;
  if (left !== 'other') return sameNumber(a, b);
  if (a === null || b === null) return a === b;
  if (isIncomparable(a) || isIncomparable(b)) {
    if (typeOf(a) === typeOf(b)) throw new Error(`non-comparable type ${sprintf('%s', [b])}: ${typeOf(b)}`);
    const shown = `${sprintf('%s', [a])}: ${typeOf(a)}, ${typeOf(b)}: ${printValue(b)}`;
    throw new Error(`non-comparable types ${shown}`);
  }
  return a === b || (typeOf(a) === typeOf(b) && printValue(a) === printValue(b));
}

function isIncomparable(value: unknown): boolean {
  return isList(value) || isMap(value) || typeof value === 'function';
}

function sameNumber(a: unknown, b: unknown): boolean {
  const x = rawNumber(a);
  const y = rawNumber(b);
  return typeof x === typeof y ? x === y : BigInt(x) === BigInt(y);
}

function less(a: unknown, b: unknown): boolean {
  const kind = basicKind(a);
  const other = basicKind(b);
  if (kind === 'other' || other === 'other') throw new Error('invalid type for comparison');
  if (kind !== other) throw incompatible(a, b);
  if (kind === 'bool') throw new Error('invalid type for comparison');
  if (kind === 'string') return compareText(a as string, b as string) < 0;
  return rawNumber(a) < rawNumber(b);
}

function equalToAny(first: unknown, ...others: readonly unknown[]): boolean {
  if (isList(first) || isMap(first)) {
    if (others.length > 0 && others.every((other) => other === null)) return false;
  }
  if (others.length === 0) throw new Error('missing argument for comparison');
  return others.some((other) => equal(first, other));
}

export const comparisons: Readonly<Record<string, TemplateFunction>> = {
  eq: declareRest([any], any, equalToAny),
  ne: declare([any, any], (a, b) => !equal(a, b)),
  lt: declare([any, any], less),
  le: declare([any, any], (a, b) => less(a, b) || equal(a, b)),
  gt: declare([any, any], (a, b) => !(less(a, b) || equal(a, b))),
  ge: declare([any, any], (a, b) => !less(a, b)),
};
