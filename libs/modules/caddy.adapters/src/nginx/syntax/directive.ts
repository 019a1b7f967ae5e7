/** An nginx directive: a name, arguments and an optional block. */
import { problemAt, type Place } from '../problem.ts';

export interface Directive extends Place {
  readonly name: string;
  readonly args: readonly string[];
  /** Directives in the block, or `null` if the directive ends with a semicolon. */
  readonly block: readonly Directive[] | null;
}

/** Returns the argument at an index. Throws if the argument is missing. `expected` describes the argument in the error message. */
export function argument(directive: Directive, index: number, expected: string): string {
  const text = directive.args[index];
  if (text === undefined) throw problemAt(directive, `${directive.name} needs ${expected}`);
  return text;
}

/** Reports whether the value of a directive is `on`. Throws if it is neither `on` nor `off`. */
export function isOn(directive: Directive | undefined): boolean {
  if (directive === undefined) return false;
  const text = argument(directive, 0, '"on" or "off"').toLowerCase();
  if (text !== 'on' && text !== 'off')
    throw problemAt(directive, `${directive.name} must be "on" or "off", not ${JSON.stringify(text)}`);
  return text === 'on';
}
