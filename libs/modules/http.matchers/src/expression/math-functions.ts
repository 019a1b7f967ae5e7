/** Math functions that Caddy supports beyond standard CEL, and strict string-to-number conversions. */
import {
  celFunc,
  CelScalar,
  celUint,
  isCelUint,
  listType,
  type CelFunc,
  type CelUint,
  type CelValue,
} from '@bufbuild/cel';

const { BOOL, DOUBLE, DYN, INT, STRING, UINT } = CelScalar;
const list = listType(DYN);

const ofDouble = (name: string, compute: (value: number) => number): CelFunc =>
  celFunc(`math.${name}`, [DOUBLE], DOUBLE, compute);
const aboutDouble = (name: string, test: (value: number) => boolean): CelFunc =>
  celFunc(`math.${name}`, [DOUBLE], BOOL, test);
const bits = (name: string, compute: (left: bigint, right: bigint) => bigint): CelFunc[] => [
  celFunc(`math.${name}`, [INT, INT], INT, (left, right) => BigInt.asIntN(64, compute(left, right))),
  celFunc(`math.${name}`, [UINT, UINT], UINT, (left, right) => celUint(compute(left.value, right.value))),
];
const shift = (name: string, compute: (value: bigint, by: bigint) => bigint): CelFunc[] => [
  celFunc(`math.${name}`, [INT, INT], INT, (value, by) =>
    BigInt.asIntN(64, compute(BigInt.asUintN(64, value), distance(by))),
  ),
  celFunc(`math.${name}`, [UINT, INT], UINT, (value, by) =>
    celUint(BigInt.asUintN(64, compute(value.value, distance(by)))),
  ),
];

/** Math functions. `@greatest` and `@least` receive their arguments as a list; see rewrite.ts. */
const leastInteger = -(2n ** 63n);

export const mathFunctions: readonly CelFunc[] = [
  ofDouble('ceil', Math.ceil),
  ofDouble('floor', Math.floor),
  ofDouble('trunc', Math.trunc),
  ofDouble('round', (value) => (Number.isFinite(value) ? Math.sign(value) * Math.floor(Math.abs(value) + 0.5) : value)),
  aboutDouble('isNaN', Number.isNaN),
  aboutDouble('isFinite', Number.isFinite),
  aboutDouble('isInf', (value) => Math.abs(value) === Infinity),
  celFunc('math.abs', [DOUBLE], DOUBLE, Math.abs),
  celFunc('math.abs', [INT], INT, (value) => {
    if (value === leastInteger) throw new Error('math.abs: integer overflow');
    return value < 0n ? -value : value;
  }),
  celFunc('math.abs', [UINT], UINT, (value) => value),
  celFunc('math.sign', [DOUBLE], DOUBLE, Math.sign),
  celFunc('math.sign', [INT], INT, (value) => (value < 0n ? -1n : value > 0n ? 1n : 0n)),
  celFunc('math.sign', [UINT], UINT, (value) => celUint(value.value > 0n ? 1n : 0n)),
  celFunc('math.sqrt', [DOUBLE], DOUBLE, Math.sqrt),
  celFunc('math.sqrt', [INT], DOUBLE, (value) => Math.sqrt(Number(value))),
  celFunc('math.sqrt', [UINT], DOUBLE, (value) => Math.sqrt(Number(value.value))),
  ...bits('bitAnd', (left, right) => left & right),
  ...bits('bitOr', (left, right) => left | right),
  ...bits('bitXor', (left, right) => left ^ right),
  celFunc('math.bitNot', [INT], INT, (value) => ~value),
  celFunc('math.bitNot', [UINT], UINT, (value) => celUint(BigInt.asUintN(64, ~value.value))),
  ...shift('bitShiftLeft', (value, by) => value << by),
  ...shift('bitShiftRight', (value, by) => value >> by),
  celFunc('@greatest', [list], DYN, (values) => extreme([...values], 1)),
  celFunc('@least', [list], DYN, (values) => extreme([...values], -1)),
  // Convert strictly. JavaScript accepts some strings as numbers that Go rejects, such as the empty string.
  celFunc('int', [STRING], INT, (text) => BigInt.asIntN(64, wholeNumber(text, -(2n ** 63n), 2n ** 63n - 1n))),
  celFunc('uint', [STRING], UINT, (text) => celUint(wholeNumber(text, 0n, 2n ** 64n - 1n))),
  celFunc('double', [STRING], DOUBLE, double),
];

function distance(by: bigint): bigint {
  if (by < 0n) throw new Error('cannot shift by a negative number of bits');
  return by > 64n ? 64n : by;
}

function numeric(value: CelValue): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (isCelUint(value)) return (value satisfies CelUint).value;
  throw new Error('math.greatest and math.least accept only numbers');
}

function extreme(values: readonly CelValue[], direction: 1 | -1): CelValue {
  const [first] = values;
  if (first === undefined) throw new Error('math.greatest and math.least require at least one number');
  let best = first;
  for (const value of values) {
    const [candidate, champion] = [numeric(value), numeric(best)];
    if (direction === 1 ? candidate > champion : candidate < champion) best = value;
  }
  return best;
}

function wholeNumber(text: string, least: bigint, greatest: bigint): bigint {
  const value = /^[+-]?\d{1,30}$/.test(text) ? BigInt(text.replace('+', '')) : null;
  if (value === null || value < least || value > greatest)
    throw new Error(`${JSON.stringify(text)} is not a valid 64-bit integer`);
  return value;
}

function double(text: string): number {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  const special = /^([+-]?)(?:(inf|infinity)|nan)$/i.exec(text);
  if (special === null) throw new Error(`${JSON.stringify(text)} is not a valid number`);
  return special[2] === undefined ? Number.NaN : special[1] === '-' ? -Infinity : Infinity;
}
