/** Splits a Caddyfile into pieces for the formatter. Preserves comments, quotes, and line breaks, which the lexer discards. */

/**
 * A piece of Caddyfile text. The kinds are:
 *
 * - whitespace, with its number of line breaks
 * - a brace that opens a block, followed by whitespace
 * - a brace that closes a block or is part of a word
 * - a comment up to the end of the line
 * - text that stays unchanged
 */
export type Piece =
  | { readonly kind: 'space'; readonly breaks: number }
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'brace' }
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string };

/** Matches a whitespace character. A byte order mark is not whitespace. */
const space = /[^\S\uFEFF]|\u0085/u;

export function* piecesOf(text: string): Generator<Piece, void, void> {
  let at = 0;
  // True at the start of a word. Quotes and heredocs only begin at the start of a word, but comments begin anywhere.
  let fresh = true;
  while (at < text.length) {
    const char = text.charAt(at);
    if (space.test(char)) {
      const end = endOf(text, at, (each) => !space.test(each));
      yield { kind: 'space', breaks: text.slice(at, end).split('\n').length - 1 };
      at = end;
      fresh = true;
    } else if (char === '{') {
      const next = text.charAt(at + 1);
      yield { kind: next === '' || space.test(next) || next === '{' ? 'open' : 'brace' };
      at++;
      fresh = next === '{';
    } else if (char === '}') {
      yield { kind: 'close' };
      at++;
      fresh &&= text.charAt(at) === '#' || text.charAt(at) === '}';
    } else if (char === '#') {
      const end = endOf(text, at, (each) => each === '\n');
      yield { kind: 'comment', text: text.slice(at, end) };
      at = end;
    } else {
      const end = wordEnd(text, at, fresh);
      yield { kind: 'text', text: text.slice(at, end) };
      // Another quoted string may follow without whitespace.
      fresh &&= char === '"' && text.charAt(end) === '"';
      at = end;
    }
  }
}

function endOf(text: string, from: number, ends: (char: string) => boolean): number {
  let at = from;
  while (at < text.length && !ends(text.charAt(at))) at++;
  return at;
}

function wordEnd(text: string, from: number, fresh: boolean): number {
  const char = text.charAt(from);
  if (fresh && char === '"') return quotedEnd(text, from);
  if (fresh && text.startsWith('<<', from)) {
    const heredoc = heredocEnd(text, from);
    return heredoc ?? endOf(text, from, (each) => space.test(each));
  }
  let at = from;
  while (at < text.length) {
    const each = text.charAt(at);
    if (each === '\\') at += 2;
    else if (each === '`') at = after(text, '`', at + 1);
    else if (space.test(each) || each === '{' || each === '}' || each === '#') return at;
    else at++;
  }
  return Math.min(at, text.length);
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

function quotedEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === '"') return at + 1;
  }
  return text.length;
}

/**
 * Returns the position at which a heredoc ends. A second occurrence of the marker, followed by whitespace, ends the heredoc. Returns `null`
 * if there is no heredoc.
 */
function heredocEnd(text: string, from: number): number | null {
  const name = /^<<([\w-]+)\r?\n/.exec(text.slice(from, from + 300))?.[1];
  if (name === undefined) return null;
  for (let at = text.indexOf(name, from + name.length + 2); at >= 0; at = text.indexOf(name, at + 1)) {
    const next = text.charAt(at + name.length);
    if (next !== '' && space.test(next)) return at + name.length;
  }
  return text.length;
}
