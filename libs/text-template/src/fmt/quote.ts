/** Quotes strings and characters in Go syntax, for `%q` and for names in error messages. */
import { encodeText, runeOf } from '../values/text.ts';

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const plainAscii = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const short: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};

/** Reports whether a character is printable, as defined by Go's `strconv.IsPrint`. */
export function isPrintable(character: string): boolean {
  return printable.test(character);
}

/** Quotes text with double quotes. `ascii` escapes all non-ASCII characters (`%+q`). */
export function quote(text: string, ascii = false): string {
  if (plainAscii.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += escapeCharacter(character, '"', ascii);
  return `${quoted}"`;
}

/** Quotes text with backquotes if possible, otherwise with double quotes (`%#q`). */
export function backquote(text: string, ascii: boolean): string {
  const possible = !/[\x00-\x08\x0a-\x1f\x7f`\uFEFF]/.test(text) && text.isWellFormed();
  return possible ? `\`${text}\`` : quote(text, ascii);
}

/** Quotes a code point with single quotes. */
export function quoteRune(code: number, ascii: boolean): string {
  const valid = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return `'${escapeCharacter(String.fromCodePoint(valid ? code : 0xfffd), "'", ascii)}'`;
}

function escapeCharacter(character: string, delimiter: string, ascii: boolean): string {
  if (character === delimiter) return `\\${character}`;
  const known = short[character];
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(encodeText(character)[0] ?? 0, 2)}`;
  if (code < 0x7f ? code >= 0x20 : !ascii && isPrintable(character)) return character;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  const shown = runeOf(character);
  return shown > 0xffff ? `\\U${hex(shown, 8)}` : `\\u${hex(shown, 4)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}
