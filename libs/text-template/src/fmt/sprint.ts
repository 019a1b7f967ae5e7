/** `print` and `println`. */
import { printValue } from './printer.ts';

/** Concatenates values. Inserts a space between two values if neither is a string. */
export function sprint(values: readonly unknown[]): string {
  let text = '';
  for (const [index, value] of values.entries()) {
    if (index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string') text += ' ';
    text += printValue(value);
  }
  return text;
}

/** Concatenates values, separated by spaces, and appends a newline. */
export function sprintln(values: readonly unknown[]): string {
  return `${values.map(printValue).join(' ')}\n`;
}
