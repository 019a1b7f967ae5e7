/**
 * Header fields on their way out: names in canonical form, values that cannot break a line. Heads are texts with one
 * character per byte.
 */
import { canonicalHeaderName, isToken, toLatin1 } from '@sluice/base';
import type { HeaderMap } from './header-map.ts';

/** How a response field is written. */
export interface ResponseField {
  /** `Content-Type: `; empty for a name that is not a token, which is left out. */
  readonly prefix: string;
  readonly kind: number;
}

/** An ordinary field. */
export const plainField = 0;
/** Fields that the writer has to understand, because they frame the message. */
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

/** Names come from configurations and upstreams, so their number is bounded. */
const maxKnown = 2048;
const known = new Map<string, ResponseField>();

/** How the field of a lower-case name is written. */
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

/** Fields of a handshake as RFC 6455 writes them: some peers look for that. In other messages they have the usual form. */
const webSocketPrefixes: ReadonlyMap<string, string> = new Map(
  ['Accept', 'Extensions', 'Key', 'Protocol', 'Version'].map((name) => [
    `sec-websocket-${name.toLowerCase()}`,
    `Sec-WebSocket-${name}: `,
  ]),
);

/** How the name of a field begins its line in a request for an upgrade, and in the response that grants it. */
export function upgradePrefix(name: string): string {
  return webSocketPrefixes.get(name) ?? responseField(name).prefix;
}

/** A value as it may stand in a line: without line ends, without space around it, one character per byte. */
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

/** Whether a field may stand in a trailer or an informational response. */
function isFree({ prefix, kind }: ResponseField): boolean {
  return prefix !== '' && (kind === plainField || kind >= typeField);
}

/** Canonical names of the fields that {@link fieldLines} writes, for `Trailer`. */
export function fieldNames(fields: HeaderMap): string {
  const names: string[] = [];
  for (const name of fields.names) {
    const field = responseField(name);
    if (isFree(field)) names.push(field.prefix.slice(0, -2));
  }
  return names.join(', ');
}

/** Fields as lines, without regard to framing: for informational responses and trailers. */
export function fieldLines(fields: HeaderMap): string {
  let text = '';
  for (let i = 0; i < fields.names.length; i++) {
    const field = responseField(fields.names[i] as string);
    if (isFree(field)) text += `${field.prefix}${safeValue(fields.values[i] as string)}\r\n`;
  }
  return text;
}
