/** Generates example strings that match a regular expression. */

/**
 * Maximum length of a regular expression, in characters. `maxLength` limits the length of the example, and `maxRepetitions` limits its
 * repetitions.
 */
const maxPattern = 1000;
const maxLength = 200;
const maxRepetitions = 20;

/**
 * Returns a short string that matches a regular expression (RE2 syntax), built from its first alternatives. With rare syntax, the string
 * may not match. Returns `null` if there is no example. Never runs the expression, because it may be malicious.
 */
export function exampleOf(pattern: string): string | null {
  if (pattern.length > maxPattern) return null;
  const [text] = sequence(pattern.replace(/^\(\?[a-z]+\)/, ''), 0);
  return text.length > maxLength ? null : text;
}

/** Returns an example for the first alternative that starts at a position. Also returns the position at which the group ends. */
function sequence(source: string, start: number): [text: string, end: number] {
  let text = '';
  let isFirst = true;
  let at = start;
  while (at < source.length && source[at] !== ')') {
    if (source[at] === '|') {
      isFirst = false;
      at++;
      continue;
    }
    const [atom, end] = atomAt(source, at);
    const [count, next] = repetitions(source, end);
    // Don't extend an example that is already too long.
    if (isFirst && text.length <= maxLength) text += atom.length > maxLength ? atom : atom.repeat(count);
    at = next;
  }
  return [text, at];
}

const classes: Readonly<Record<string, string>> = {
  d: '0',
  w: 'a',
  s: ' ',
  D: 'a',
  W: '-',
  S: 'a',
  b: '',
  A: '',
  z: '',
};

function atomAt(source: string, at: number): [text: string, end: number] {
  const character = source[at] ?? '';
  switch (character) {
    case '^':
    case '$':
      return ['', at + 1];
    case '.':
      return ['x', at + 1];
    case '\\': {
      const escaped = source[at + 1] ?? '';
      return [classes[escaped] ?? escaped, at + 2];
    }
    case '[':
      return classAt(source, at);
    case '(': {
      const prefix = /^\((?:\?(?::|P?<[^>]*>))?/.exec(source.slice(at))?.[0] ?? '(';
      const [text, end] = sequence(source, at + prefix.length);
      return [text, end + 1];
    }
    default:
      return [character, at + 1];
  }
}

function classAt(source: string, at: number): [text: string, end: number] {
  const isNegated = source[at + 1] === '^';
  const first = at + (isNegated ? 2 : 1);
  // A bracket in the first position of a character class is literal.
  let end = first + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  if (isNegated) return ['x', end + 1];
  return [source[first] === '\\' ? atomAt(source, first)[0] : (source[first] ?? ''), end + 1];
}

function repetitions(source: string, at: number): [count: number, end: number] {
  const [quantifier, least] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(source.slice(at)) ?? [''];
  const count = least === undefined ? Number(quantifier[0] !== '*') : Math.min(Number(least), maxRepetitions);
  return [count, at + quantifier.length];
}
