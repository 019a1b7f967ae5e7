/** `print` and `println`. */
import { printValue } from './printer.ts';

/** Values one after another, with a space between two that are both no strings. */
export function sprint(values: readonly unknown[]): string {
  let text = '';
  for (const [index, value] of values.entries()) {
    if (index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string') text += ' ';
    text += printValue(value);
  }
  return text;
}

/** Values with spaces between them and a line feed at the end. */
export function sprintln(values: readonly unknown[]): string {
  return `${values.map(printValue).join(' ')}\n`;
}
