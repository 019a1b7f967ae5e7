/** Makes values of the texts of options. */
import { InvalidArgumentError } from 'commander';

/** Of an option that may be repeated: all its values; a comma separates several in one text. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...value.split(',').filter((part) => part !== '')];
}

/** Of an option that may be repeated, and whose values may have commas. */
export function append(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** A small number from 0 on. */
export function count(value: string): number {
  if (!/^\d{1,4}$/.test(value)) throw new InvalidArgumentError('Expected a number of at least 0.');
  return Number(value);
}

/** A whole number. */
export function integer(value: string): number {
  if (!/^[+-]?\d{1,15}$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}
