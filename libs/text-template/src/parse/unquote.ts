/** Decodes quoted strings and character constants with Go's escape sequences. */
import { decodeText, encodeText } from '../values/text.ts';

const escape = /\\(?:([abfnrtv\\'"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|)/g;
const simple: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** Returns the value of a quoted string token, or null if an escape sequence is invalid. */
export function unquoteString(token: string): string | null {
  const inner = token.slice(1, -1);
  if (token.startsWith('`')) return inner.replaceAll('\r', '');
  return unescape(inner, "'");
}

/**
 * Returns the code point of a character constant. `code` is null if the constant is invalid. `malformed` is true if it contains more than
 * one character.
 */
export function unquoteCharacter(token: string): { code: number | null; malformed: boolean } {
  const inner = token.slice(1, -1);
  const stray = /^\\(?:x([0-9a-fA-F]{2})|([0-7]{3}))$/.exec(inner);
  if (stray !== null) {
    const code = stray[1] === undefined ? Number.parseInt(stray[2] ?? '', 8) : Number.parseInt(stray[1], 16);
    return code > 0xff ? { code: null, malformed: false } : { code, malformed: false };
  }
  const value = unescape(inner, '"');
  if (value === null || value === '') return { code: null, malformed: false };
  const [first, ...more] = value;
  return { code: first?.codePointAt(0) ?? null, malformed: more.length > 0 };
}

/** Decodes escape sequences. Returns null if one is invalid. `foreign` is the quote character that must not be escaped. */
function unescape(text: string, foreign: string): string | null {
  if (!text.includes('\\')) return text;
  let wrong = false;
  let bytes = false;
  const value = text.replace(escape, (_, ...groups: readonly (string | undefined)[]) => {
    const [letter, hex, u, long, octal] = groups;
    if (letter !== undefined && letter !== foreign) return simple[letter] ?? '';
    if (hex !== undefined || octal !== undefined) {
      const byte = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
      if (byte > 0xff) wrong = true;
      if (byte < 0x80) return String.fromCharCode(byte);
      bytes = true;
      return String.fromCharCode(0xdc00 | (byte & 0xff));
    }
    const code = Number.parseInt(u ?? long ?? 'NaN', 16);
    if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) {
      wrong = true;
      return '';
    }
    return String.fromCodePoint(code);
  });
  if (wrong) return null;
  return bytes ? decodeText(encodeText(value)) : value;
}
