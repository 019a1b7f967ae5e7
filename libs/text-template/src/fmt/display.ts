/** What an action writes for its value. */
import { typeOf } from '../values/kind.ts';
import { printValue } from './printer.ts';

/** A value as an action prints it: `<no value>` where there is none, and pointers as what they point to. */
export function displayable(value: unknown): string {
  if (value === undefined || value === null) return '<no value>';
  if (typeof value === 'function') throw new Error(`can't print a value of type ${typeOf(value)}`);
  const text = printValue(value);
  return typeof value === 'object' && text.startsWith('&{') ? text.slice(1) : text;
}
