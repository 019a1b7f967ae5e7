/** Output of actions. */
import { typeOf } from '../values/kind.ts';
import { printValue } from './printer.ts';

/** Formats a value the way an action prints it. A missing value prints as `<no value>`, and a pointer prints as its target. */
export function displayable(value: unknown): string {
  if (value === undefined || value === null) return '<no value>';
  if (typeof value === 'function') throw new Error(`can't print a value of type ${typeOf(value)}`);
  const text = printValue(value);
  return typeof value === 'object' && text.startsWith('&{') ? text.slice(1) : text;
}
