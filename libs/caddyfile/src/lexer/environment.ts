/** `{$NAME}` and `{$NAME:default}`: replaced in the text before it is split, so that a value may have several tokens. */
import { checkExternalRead, isConfined, type Environment } from '@sluice/base';

/** Told of a variable that is replaced: where it stands in the text, its value, and whether it has neither value nor default. */
export type OnReplaced = (start: number, end: number, value: string, isUnset: boolean) => void;

/** Replaces the variables of a text. Throws ERR_CONFINED for clients whose text may not read them. What a value contains is not looked at again. An unset variable is empty, and one without a name its default. */
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
