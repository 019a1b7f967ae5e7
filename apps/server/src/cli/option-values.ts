/** Parsers for option values. */
import { InvalidArgumentError } from 'commander';

/** Collects all values of a repeatable option. A comma separates values in one argument. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...value.split(',').filter((part) => part !== '')];
}

/** Collects the values of a repeatable option whose values can contain commas. */
export function append(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Parses a number from 0 to 9999. */
export function count(value: string): number {
  if (!/^\d{1,4}$/.test(value)) throw new InvalidArgumentError('Expected a number of at least 0.');
  return Number(value);
}

export function integer(value: string): number {
  if (!/^[+-]?\d{1,15}$/.test(value)) throw new InvalidArgumentError('Expected an integer.');
  return Number(value);
}
