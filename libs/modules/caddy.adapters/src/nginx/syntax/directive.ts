/** A directive of a configuration: a name, arguments, and a block if it has one. */
import { problemAt, type Place } from '../problem.ts';

/** One directive with its place. */
export interface Directive extends Place {
  readonly name: string;
  readonly args: readonly string[];
  /** `null`: it ends with a semicolon. */
  readonly block: readonly Directive[] | null;
}

/** The argument of this index; an error that says what was expected if there is none. */
export function argument(directive: Directive, index: number, expected: string): string {
  const text = directive.args[index];
  if (text === undefined) throw problemAt(directive, `${directive.name} needs ${expected}`);
  return text;
}

/** Whether a directive says `on`; one that says neither is an error. */
export function isOn(directive: Directive | undefined): boolean {
  if (directive === undefined) return false;
  const text = argument(directive, 0, '"on" or "off"').toLowerCase();
  if (text !== 'on' && text !== 'off')
    throw problemAt(directive, `${directive.name} is "on" or "off", not ${JSON.stringify(text)}`);
  return text === 'on';
}
