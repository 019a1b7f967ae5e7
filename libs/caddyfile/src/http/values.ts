/** Parses numbers, durations, and sizes. Errors refer to the parsed word. */
import { messageOf, parseNanoseconds } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';

/** Parses a duration into nanoseconds, as in native JSON. `what` describes the duration in error messages. */
export function readDuration(reader: Dispenser, text: string, what: string): number {
  try {
    return Number(parseNanoseconds(text));
  } catch (error) {
    throw reader.error(`bad ${what} value '${text}': ${messageOf(error)}`, error);
  }
}

/** Parses a signed 64-bit integer. */
export function readInteger(reader: Dispenser, text: string, what: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw reader.error(`bad ${what} value '${text}': not an integer`);
  const value = Number(text);
  if (value >= 2 ** 63 || value < -(2 ** 63)) throw reader.error(`bad ${what} value '${text}': out of range`);
  return value;
}

const units: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1e3],
  ['mb', 1e6],
  ['gb', 1e9],
  ['tb', 1e12],
  ['pb', 1e15],
  ['eb', 1e18],
  ['k', 1e3],
  ['m', 1e6],
  ['g', 1e9],
  ['t', 1e12],
  ['p', 1e15],
  ['e', 1e18],
  ['kib', 2 ** 10],
  ['mib', 2 ** 20],
  ['gib', 2 ** 30],
  ['tib', 2 ** 40],
  ['pib', 2 ** 50],
  ['eib', 2 ** 60],
  ['ki', 2 ** 10],
  ['mi', 2 ** 20],
  ['gi', 2 ** 30],
  ['ti', 2 ** 40],
  ['pi', 2 ** 50],
  ['ei', 2 ** 60],
]);

/** Parses a size, such as `512`, `10MB`, or `1.5GiB`, into bytes. */
export function readSize(reader: Dispenser, text: string, what: string): number {
  const match = /^([\d.,]+)\s*([a-z]*)$/i.exec(text);
  const unit = units.get((match?.[2] ?? '').toLowerCase());
  const count = Number((match?.[1] ?? '').replaceAll(',', ''));
  if (match === null || unit === undefined || Number.isNaN(count)) {
    throw reader.error(`parsing ${what}: '${text}' is not a size such as 512, 10MB or 1GiB`);
  }
  return Math.trunc(count * unit);
}
