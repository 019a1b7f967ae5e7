/** String functions for truncation and line wrapping. Widths are in bytes. */
import { byteLength, encodeText, decodeText, isAscii, sliceBytes } from '../values/text.ts';

/** Truncates text to `width` bytes, including a trailing `...`. Widths below 4 have no effect. */
export function abbreviate(width: number, text: string): string {
  return abbreviateAt(0, width, text);
}

/** Like {@link abbreviate}, but keeps the text at `offset`. Adds `...` at each end that is truncated. */
export function abbreviateBoth(offset: number, width: number, text: string): string {
  return width < 4 || (offset > 0 && width < 7) ? text : abbreviateAt(offset, width, text);
}

function abbreviateAt(offset: number, width: number, text: string): string {
  const length = byteLength(text);
  if (width < 4 || length <= width) return text;
  const start = Math.min(offset, length, Math.max(length - (width - 3), 0));
  if (start <= 4) return `${sliceBytes(text, 0, width - 3)}...`;
  if (width < 7) return text;
  if (start + width - 3 >= length) return `...${sliceBytes(text, length - (width - 3), length)}`;
  return `...${abbreviateAt(0, width - 3, sliceBytes(text, start, length))}`;
}

/** Wraps lines at spaces after `width` bytes. If `breaksWords` is true, also breaks words that are longer than `width` bytes. */
export function wrap(width: number, separator: string, breaksWords: boolean, text: string): string {
  // Wrap as if each byte were a character, then decode the result.
  const bytes = isAscii(text) ? text : Buffer.from(encodeText(text)).toString('latin1');
  const wrapped = wrapCharacters(Math.max(width, 1), breaksWords, bytes);
  const lines = isAscii(text) ? wrapped : wrapped.map((line) => decodeText(Buffer.from(line, 'latin1')));
  return lines.join(separator === '' ? '\n' : separator);
}

function wrapCharacters(width: number, breaksWords: boolean, text: string): string[] {
  const lines: string[] = [];
  let at = 0;
  while (text.length - at > width) {
    if (text[at] === ' ') {
      at++;
      continue;
    }
    const space = text.slice(at, at + width + 1).lastIndexOf(' ') + at;
    if (space > at) {
      lines.push(text.slice(at, space));
      at = space + 1;
    } else if (breaksWords) {
      lines.push(text.slice(at, at + width));
      at += width;
    } else {
      const next = text.indexOf(' ', at + width);
      if (next === -1) break;
      lines.push(text.slice(at, next));
      at = next + 1;
    }
  }
  lines.push(text.slice(at));
  return lines;
}
