/**
 * Replaces environment variables in a Caddyfile: `{$NAME}` and `{$NAME:default}`. Variables are replaced before the text is split into
 * tokens, so a value may contain several tokens.
 */
import { checkExternalRead, isConfined, type Environment } from '@sluice/base';

/**
 * Callback invoked for each replaced variable, with its position in the text and its value. `isUnset` is true if the variable has neither a
 * value nor a default.
 */
export type OnReplaced = (start: number, end: number, value: string, isUnset: boolean) => void;

/**
 * Replaces environment variables in a string. An unset variable is replaced with its default or an empty string. Values are not expanded
 * recursively. Throws `ERR_CONFINED` if the client may not read environment variables.
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
