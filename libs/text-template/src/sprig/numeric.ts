/** Template functions for integer and float arithmetic and integer ranges. */
import { declare, declareRest, type TemplateFunction } from '../functions/declare.ts';
import { any, float, integer } from '../functions/parameters.ts';
import { typedList } from '../values/kind.ts';
import { float64, int64, narrow, type Integer, type TypedNumber } from '../values/number.ts';
import { checkElements } from '../limits/size.ts';
import { toFloat, toInteger } from './convert.ts';
import {
  addDecimals,
  decimalOf,
  decimalToFloat,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
  type Decimal,
} from './decimal.ts';

/** A 64-bit integer operation and its fast version for plain numbers. The fast result is used only if it is exact. */
interface Operation {
  readonly exact: (a: bigint, b: bigint) => bigint;
  readonly fast: (a: number, b: number) => number;
}

const addition: Operation = { exact: (a, b) => a + b, fast: (a, b) => a + b };
const subtraction: Operation = { exact: (a, b) => a - b, fast: (a, b) => a - b };
const multiplication: Operation = { exact: (a, b) => a * b, fast: (a, b) => a * b };
const division: Operation = { exact: (a, b) => a / nonZero(b), fast: (a, b) => Math.trunc(a / nonZero(b)) };
const remainder: Operation = { exact: (a, b) => a % nonZero(b), fast: (a, b) => a % nonZero(b) };

function nonZero<T extends Integer>(divisor: T): T {
  if (Number(divisor) === 0) throw new Error('runtime error: integer divide by zero');
  return divisor;
}

/** Applies an operation to integers from left to right. Overflow wraps around. */
function combine(first: unknown, others: readonly unknown[], operation: Operation): TypedNumber {
  let total = toInteger(first);
  for (const other of others) total = combineTwo(total, toInteger(other), operation);
  return int64(total);
}

function combineTwo(a: Integer, b: Integer, operation: Operation): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = operation.fast(a, b);
    // Add 0 to convert -0 to 0.
    if (Number.isSafeInteger(result)) return result + 0;
  }
  return narrow(BigInt.asIntN(64, operation.exact(BigInt(a), BigInt(b))));
}

function add(values: readonly unknown[]): TypedNumber {
  return combine(0, values, addition);
}

function extreme(first: unknown, others: readonly unknown[], better: (a: Integer, b: Integer) => boolean): TypedNumber {
  let best = toInteger(first);
  for (const other of others) {
    const value = toInteger(other);
    if (better(value, best)) best = value;
  }
  return int64(best);
}

type DecimalOperation = (a: Decimal, b: Decimal) => Decimal;

function combineFloats(first: unknown, others: readonly unknown[], operation: DecimalOperation): unknown {
  let total = decimalOf(toFloat(first));
  for (const other of others) total = operation(total, decimalOf(toFloat(other)));
  return float64(decimalToFloat(total));
}

function floatOperation(operation: DecimalOperation): TemplateFunction {
  return declareRest([any], any, (first, ...others) => combineFloats(first, others, operation));
}

function round(value: unknown, places: number, roundOn = 0.5): unknown {
  const power = 10 ** places;
  const digits = power * toFloat(value);
  const fraction = digits % 1;
  return float64((fraction >= roundOn ? Math.ceil(digits) : Math.floor(digits)) / power);
}

/** Returns `start`, `start + step`, and so on, up to but not including `stop`. */
function untilStep(start: number, stop: number, step: number): number[] {
  const list: number[] = [];
  if (step === 0 || (step > 0 ? start >= stop : start <= stop)) return typedList(list, 'int');
  checkElements((stop - start) / step);
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) list.push(i);
  return typedList(list, 'int');
}

/** Works like the `seq` program. Arguments: the end; the start and end; or the start, step and end. The range includes the end. */
function seq(values: readonly number[]): string {
  const [first = 0, second = 0, third = 0] = values;
  switch (values.length) {
    case 1:
      return sequence(1, first, first < 1 ? -1 : 1);
    case 2:
      return sequence(first, second, second < first ? -1 : 1);
    case 3:
      return sequence(first, third, second);
    default:
      return '';
  }
}

function sequence(start: number, end: number, step: number): string {
  return untilStep(start, end + Math.sign(step), step).join(' ');
}

const biggest = declareRest([any], any, (first, ...others) => extreme(first, others, (a, b) => a > b));

export const numerics: Readonly<Record<string, TemplateFunction>> = {
  add: declareRest([], any, (...values) => add(values)),
  add1: declare([any], (value) => add([value, 1])),
  sub: declare([any, any], (a, b) => combine(a, [b], subtraction)),
  mul: declareRest([any], any, (first, ...others) => combine(first, others, multiplication)),
  div: declare([any, any], (a, b) => combine(a, [b], division)),
  mod: declare([any, any], (a, b) => combine(a, [b], remainder)),
  biggest,
  max: biggest,
  min: declareRest([any], any, (first, ...others) => extreme(first, others, (a, b) => a < b)),
  addf: declareRest([], any, (...values) => combineFloats(0, values, addDecimals)),
  add1f: declare([any], (value) => combineFloats(value, [1], addDecimals)),
  subf: floatOperation(subtractDecimals),
  mulf: floatOperation(multiplyDecimals),
  divf: floatOperation(divideDecimals),
  maxf: declareRest([any], any, (first, ...others) => float64(Math.max(toFloat(first), ...others.map(toFloat)))),
  minf: declareRest([any], any, (first, ...others) => float64(Math.min(toFloat(first), ...others.map(toFloat)))),
  ceil: declare([any], (value) => float64(Math.ceil(toFloat(value)))),
  floor: declare([any], (value) => float64(Math.floor(toFloat(value)))),
  round: declareRest([any, integer], float, round),
  until: declare([integer], (count) => untilStep(0, count, count < 0 ? -1 : 1)),
  untilStep: declare([integer, integer, integer], untilStep),
  seq: declareRest([], integer, (...values) => seq(values)),
};
