/** Parsers for command option values. */
import { InvalidArgumentError } from 'commander';

/** Collects all values of a repeatable option. An argument can contain several values, separated by commas. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...value.split(',').filter((part) => part !== '')];
}

/** Collects all values of a repeatable option. Each value may contain commas. */
export function append(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Parses an integer from 0 to 9999. */
export function count(value: string): number {
  if (!/^\d{1,4}$/.test(value)) throw new InvalidArgumentError('Expected a whole number from 0 to 9999.');
  return Number(value);
}

export function integer(value: string): number {
  if (!/^[+-]?\d{1,15}$/.test(value)) throw new InvalidArgumentError('Expected an integer.');
  return Number(value);
}
