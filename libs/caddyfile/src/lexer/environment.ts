/**
 * Environment variables: `{$NAME}` and `{$NAME:default}`. They are replaced before the text is split, so that a value may contain several
 * tokens.
 */
import { checkExternalRead, isConfined, type Environment } from '@sluice/base';

/**
 * Called for each replaced variable with its position in the text and its value. The last argument is true if the variable has neither a
 * value nor a default.
 */
export type OnReplaced = (start: number, end: number, value: string, isUnset: boolean) => void;

/**
 * Replaces the variables in a string. Throws ERR_CONFINED for clients that may not read them. Values are not expanded again. An unset
 * variable is empty or its default.
 */
export function replaceEnvironment(text: string, environment: Environment, onReplaced?: OnReplaced): string {
  let result = '';
  let from = 0;
  for (let begin = text.indexOf('{$'); begin >= 0; begin = text.indexOf('{$', from)) {
    const end = text.indexOf('}', begin + 2);
    if (end < 0) break;
    const inside = text.slice(begin + 2, end);
    if (inside !== '' && isConfined()) refuseVariable(text, begin, end);
    const colon = inside.indexOf(':');
    const name = colon < 0 ? inside : inside.slice(0, colon);
    const fallback = colon < 0 ? '' : inside.slice(colon + 1);
    const value = inside === '' ? text.slice(begin, end + 1) : (environment[name] ?? fallback);
    result += text.slice(from, begin) + value;
    onReplaced?.(begin, end + 1, value, inside !== '' && colon < 0 && environment[name] === undefined);
    from = end + 1;
  }
  return from === 0 ? text : result + text.slice(from);
}

function refuseVariable(text: string, begin: number, end: number): void {
  const line = text.slice(0, begin).split('\n').length;
  checkExternalRead(`line ${line}: ${text.slice(begin, Math.min(end + 1, begin + 100))}`);
}
