/** The template functions `html`, `js` and `urlquery`, which escape text for a context. */
import { displayable } from '../fmt/display.ts';
import { isPrintable } from '../fmt/quote.ts';
import { sprint } from '../fmt/sprint.ts';
import { encodeText, isStrayByte } from '../values/text.ts';
import { declareRest, type TemplateFunction } from './declare.ts';
import { any } from './parameters.ts';

const htmlEscapes: Readonly<Record<string, string>> = {
  '\0': '\uFFFD',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

function escapeHtml(text: string): string {
  return text.replace(/[\0"'&<>]/g, (character) => htmlEscapes[character] ?? character);
}

/** Escapes the characters that are special in a JavaScript string, including strings in scripts and HTML attributes. */
function escapeJs(text: string): string {
  return text.replace(/[\0-\x1f"'\\&<>=]|[^\0-\x7f]/gu, (character) => {
    if (character === '"' || character === "'" || character === '\\') return `\\${character}`;
    if (character > '\x7f' && (isPrintable(character) || isStrayByte(character))) return character;
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

/** Escapes text for a URL query. A space becomes `+`. All other characters except unreserved ones (RFC 3986 §2.3) become `%XX`. */
function escapeQuery(text: string): string {
  if (/^[A-Za-z0-9\-_.~]*$/.test(text)) return text;
  let escaped = '';
  for (const byte of encodeText(text)) {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9\-_.~]/.test(character)) escaped += character;
    else escaped += byte === 0x20 ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

function joined(values: readonly unknown[]): string {
  const [only] = values;
  if (values.length === 1 && typeof only === 'string') return only;
  return sprint(values.map((value) => (value === null ? displayable(value) : value)));
}

/** Escaping functions. Multiple arguments are first joined in the same way as by `print`. */
export const escapes: Readonly<Record<string, TemplateFunction>> = {
  html: declareRest([], any, (...values) => escapeHtml(joined(values))),
  js: declareRest([], any, (...values) => escapeJs(joined(values))),
  urlquery: declareRest([], any, (...values) => escapeQuery(joined(values))),
};
