/**
 * Formats outgoing header fields, with canonical names and with values that can't contain line breaks. Heads are strings with one character
 * per byte.
 */
import { canonicalHeaderName, isToken, toLatin1 } from '@sluice/base';
import type { HeaderMap } from './header-map.ts';

/** Formatted name of a response field. */
export interface ResponseField {
  /** Line prefix, such as `Content-Type: `. Empty for an invalid name; such a field is omitted. */
  readonly prefix: string;
  readonly kind: number;
}

export const plainField = 0;
/** Kinds of fields that affect framing. The response writer interprets these fields. */
export const lengthField = 1;
export const codingField = 2;
export const connectionOption = 3;
export const dateField = 4;
export const trailerField = 5;
export const typeField = 6;
export const encodingField = 7;

const kinds = new Map([
  ['content-length', lengthField],
  ['transfer-encoding', codingField],
  ['connection', connectionOption],
  ['date', dateField],
  ['trailer', trailerField],
  ['content-type', typeField],
  ['content-encoding', encodingField],
]);

/** Maximum number of cached names. The cache is bounded, because names come from configurations and upstreams. */
const maxKnown = 2048;
const known = new Map<string, ResponseField>();

/** Returns the canonical form of a lowercase field name. */
export function responseField(name: string): ResponseField {
  return known.get(name) ?? learn(name);
}

function learn(name: string): ResponseField {
  const field = {
    prefix: isToken(name) ? `${canonicalHeaderName(name)}: ` : '',
    kind: kinds.get(name.toLowerCase()) ?? plainField,
  };
  if (known.size >= maxKnown) known.clear();
  known.set(name, field);
  return field;
}

/** WebSocket handshake fields in the letter case of RFC 6455, which some peers require. Other messages use the canonical form. */
const webSocketPrefixes: ReadonlyMap<string, string> = new Map(
  ['Accept', 'Extensions', 'Key', 'Protocol', 'Version'].map((name) => [
    `sec-websocket-${name.toLowerCase()}`,
    `Sec-WebSocket-${name}: `,
  ]),
);

/** Returns the line prefix of a field in an upgrade request or an upgrade response. */
export function upgradePrefix(name: string): string {
  return webSocketPrefixes.get(name) ?? responseField(name).prefix;
}

/** Returns a value that is safe to write. It has no line breaks, no surrounding whitespace, and one character per byte. */
export function safeValue(value: string): string {
  const { length } = value;
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return clean(value);
  }
  return value.charCodeAt(0) === 0x20 || value.charCodeAt(length - 1) === 0x20 ? value.trim() : value;
}

function clean(value: string): string {
  let text = '';
  for (const character of toLatin1(value)) {
    const code = character.charCodeAt(0);
    text += (code < 0x20 && code !== 0x09) || code === 0x7f ? ' ' : character;
  }
  return text.trim();
}

/** Reports whether a field is allowed in trailers and informational responses because it doesn't affect framing. */
function isFree({ prefix, kind }: ResponseField): boolean {
  return prefix !== '' && (kind === plainField || kind >= typeField);
}

/** Returns the canonical names of the fields that {@link fieldLines} writes, as the value of `Trailer`. */
export function fieldNames(fields: HeaderMap): string {
  const names: string[] = [];
  for (const name of fields.names) {
    const field = responseField(name);
    if (isFree(field)) names.push(field.prefix.slice(0, -2));
  }
  return names.join(', ');
}

/** Formats fields as lines and omits framing fields. Used for informational responses and trailers. */
export function fieldLines(fields: HeaderMap): string {
  let text = '';
  for (const [name, value] of fields) {
    const field = responseField(name);
    if (isFree(field)) text += `${field.prefix}${safeValue(value)}\r\n`;
  }
  return text;
}
