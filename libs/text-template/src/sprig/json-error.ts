/** Generates the same error messages as Go's JSON decoder. */
import { quoteRune } from '../fmt/quote.ts';

const literal =
  /[ \t\r\n]*(?:"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const space = /[ \t\r\n]*/y;

/** Returns Go's error message for invalid JSON. */
export function explainJson(source: string): string {
  const at = firstError(source);
  if (at.index >= source.length) return 'unexpected end of JSON input';
  const code = source.codePointAt(at.index) ?? 0;
  return `invalid character ${quoteRune(code, false)} ${at.expected}`;
}

interface Place {
  readonly index: number;
  readonly expected: string;
}

/** Returns the location of the first syntax error in JSON text. */
function firstError(source: string): Place {
  const open: ('[' | '{')[] = [];
  let at = 0;
  let state: 'value' | 'first' | 'key' | 'after' = 'value';
  const skip = (): void => {
    space.lastIndex = at;
    space.test(source);
    at = space.lastIndex;
  };
  for (;;) {
    skip();
    const character = source[at];
    const inside = open.at(-1);
    if (character === undefined) return { index: at, expected: '' };
    if (state === 'after') {
      if (inside === undefined) return { index: at, expected: 'after top-level value' };
      if (character === ',') {
        state = inside === '{' ? 'key' : 'value';
      } else if (character === (inside === '{' ? '}' : ']')) open.pop();
      else {
        const what = inside === '{' ? 'after object key:value pair' : 'after array element';
        return { index: at, expected: what };
      }
      at++;
      continue;
    }
    if (state === 'first' && character === (inside === '{' ? '}' : ']')) {
      open.pop();
      at++;
      state = 'after';
      continue;
    }
    if (state === 'key' || (state === 'first' && inside === '{')) {
      const failed = skipLiteral(source, at, '"');
      if (typeof failed !== 'number') return failed;
      at = failed;
      skip();
      if (source[at] !== ':') return { index: at, expected: 'after object key' };
      at++;
      state = 'value';
      continue;
    }
    if (character === '[' || character === '{') {
      open.push(character);
      at++;
      state = 'first';
      continue;
    }
    const next = skipLiteral(source, at, '"-0123456789tfn');
    if (typeof next !== 'number') return next;
    at = next;
    state = 'after';
  }
}

/** Skips a JSON string, number or keyword. Returns the index after it, or the location of an error. */
function skipLiteral(source: string, at: number, allowed: string): Place | number {
  const character = source.charAt(at);
  if (!allowed.includes(character)) {
    const expected = allowed === '"' ? 'looking for beginning of object key string' : 'looking for beginning of value';
    return { index: at, expected };
  }
  literal.lastIndex = at;
  if (literal.test(source)) return literal.lastIndex;
  if (character === '"') return stringError(source, at);
  for (const word of ['true', 'false', 'null']) {
    if (!word.startsWith(character)) continue;
    let index = at + 1;
    while (source[index] === word[index - at]) index++;
    return { index, expected: `in literal ${word} (expecting ${quoteRune(word.charCodeAt(index - at), false)})` };
  }
  return { index: at + 1, expected: 'in numeric literal' };
}

function stringError(source: string, at: number): Place {
  for (let index = at + 1; index < source.length; index++) {
    const character = source.charAt(index);
    if (character < ' ') return { index, expected: 'in string literal' };
    if (character !== '\\') continue;
    index++;
    if (source[index] === 'u') {
      for (let i = 1; i <= 4; i++) {
        if (!/[0-9a-fA-F]/.test(source[index + i] ?? ''))
          return { index: index + i, expected: 'in \\u hexadecimal character escape' };
      }
    } else if (!'"\\/bfnrt'.includes(source[index] ?? '"')) return { index, expected: 'in string escape code' };
  }
  return { index: source.length, expected: '' };
}
