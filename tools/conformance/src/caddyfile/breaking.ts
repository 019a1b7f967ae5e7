/** Corrupts texts in a few places. */
import type { Random } from '../differential/random.ts';

/** Text fragments that replace or precede a part of the original. */
const splinters = [
  '{',
  '}',
  ' { ',
  ' } ',
  '\n',
  '"',
  '`',
  '<<',
  '<<END\n',
  '\\',
  '{args[0]}',
  '{args[',
  '{$',
  '{block}',
  '{blocks.',
  '@',
  '@x ',
  '(',
  '(s) {\n',
  '&(',
  ',',
  '*',
  '/',
  ':',
  '://',
  '#',
  'import ',
  'import s\n',
  '\0',
  '\uFEFF',
  '\r',
  '\u2028',
  '{}',
  '-1',
  '99999999999999999999',
  '1e309',
  '__proto__',
  'constructor ',
  '%',
  '=',
  '>',
  '-',
  '+',
  '!',
  '?',
];

/** Returns the text with some parts removed and some fragments inserted. */
export function breakText(whole: string, random: Random): string {
  let text = whole;
  for (let left = random.integer(1, 6); left > 0; left--) {
    const at = random.integer(0, text.length);
    const gone = random.chance(0.5) ? random.integer(0, 20) : 0;
    const put = random.chance(0.8) ? random.pick(splinters).repeat(random.chance(0.05) ? 300 : 1) : '';
    text = text.slice(0, at) + put + text.slice(at + gone);
  }
  return text;
}
