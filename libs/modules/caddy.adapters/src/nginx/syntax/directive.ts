/** A directive: name, arguments and an optional block. */
import { problemAt, type Place } from '../problem.ts';

export interface Directive extends Place {
  readonly name: string;
  readonly args: readonly string[];
  /** `null` if the directive ends with a semicolon. */
  readonly block: readonly Directive[] | null;
}

/** Returns the argument at an index. If the argument is missing, throws an error that describes the expected value. */
export function argument(directive: Directive, index: number, expected: string): string {
  const text = directive.args[index];
  if (text === undefined) throw problemAt(directive, `${directive.name} needs ${expected}`);
  return text;
}

/** Reports whether a directive is `on`. Throws unless the value is `on` or `off`. */
export function isOn(directive: Directive | undefined): boolean {
  if (directive === undefined) return false;
  const text = argument(directive, 0, '"on" or "off"').toLowerCase();
  if (text !== 'on' && text !== 'off')
    throw problemAt(directive, `${directive.name} must be "on" or "off", not ${JSON.stringify(text)}`);
  return text === 'on';
}
