/** Shortening and wrapping. Widths count bytes. */
import { byteLength, encodeText, decodeText, isAscii, sliceBytes } from '../values/text.ts';

/** Cuts to a width, the last three bytes being dots. Widths below 4 change nothing. */
export function abbreviate(width: number, text: string): string {
  return abbreviateAt(0, width, text);
}

/** As {@link abbreviate}, but shows what lies at `offset`, with dots on both sides where something is left out. */
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

/** Breaks lines at spaces after `width` bytes; `breaksWords` also breaks words that are longer. */
export function wrap(width: number, separator: string, breaksWords: boolean, text: string): string {
  // Bytes are wrapped as if each were a character, and become text again at the end.
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
