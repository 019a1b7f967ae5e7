/**
 * Maps the bytes of request field names to shared lowercase strings, because clients repeat the same few names. While validating the bytes,
 * the parser computes a hash. It finds names by this hash without creating strings. Unknown names use a second table, in which a new name
 * replaces the previous name in its slot. Malicious clients therefore can't increase memory use.
 */
import { lowerNameByte } from './byte-classes.ts';

export const ordinary = 0;
/** Kinds of fields that the parser interprets. */
export const hostField = 1;
export const contentLengthField = 2;
export const transferEncodingField = 3;
export const connectionField = 4;
export const expectField = 5;

export interface FieldName {
  readonly name: string;
  /** Kind of field: {@link ordinary}, {@link hostField}, and so on. */
  readonly kind: number;
  /** True if the name contains `_` or `.`. Such names are ambiguous for CGI-like upstreams. */
  readonly irregular: boolean;
}

const kinds = new Map([
  ['host', hostField],
  ['content-length', contentLengthField],
  ['transfer-encoding', transferEncodingField],
  ['connection', connectionField],
  ['expect', expectField],
]);

const common =
  'accept accept-charset accept-encoding accept-language access-control-request-headers access-control-request-method ' +
  'authorization baggage cache-control cdn-loop connection content-disposition content-encoding content-language ' +
  'content-length content-type cookie date dnt early-data expect forwarded from host http2-settings if-match ' +
  'if-modified-since if-none-match if-range if-unmodified-since keep-alive last-event-id max-forwards origin pragma priority ' +
  'proxy-authorization proxy-connection range referer save-data sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest ' +
  'sec-fetch-mode sec-fetch-site sec-fetch-user sec-gpc sec-websocket-extensions sec-websocket-key sec-websocket-protocol ' +
  'sec-websocket-version te traceparent tracestate trailer transfer-encoding upgrade upgrade-insecure-requests user-agent ' +
  'via x-csrf-token x-forwarded-for x-forwarded-host x-forwarded-port x-forwarded-prefix x-forwarded-proto x-real-ip ' +
  'x-request-id x-requested-with';

const commonSlots = 512;
const learnedSlots = 512;
const maxLearnedLength = 64;

const commonNames = Array.from<FieldName | null>({ length: commonSlots }).fill(null);
const learnedNames = Array.from<FieldName | null>({ length: learnedSlots }).fill(null);

for (const name of common.split(' ')) {
  let slot = hashOf(name) & (commonSlots - 1);
  while (commonNames[slot] !== null) slot = (slot + 1) & (commonSlots - 1);
  commonNames[slot] = fieldName(name);
}

/** Returns the field name in `bytes[start..end)`. `hash` is the {@link addToHash} hash of the lowercase bytes. */
export function findFieldName(bytes: Buffer, start: number, end: number, hash: number): FieldName {
  let slot = hash & (commonSlots - 1);
  let known = commonNames[slot];
  while (known) {
    if (known.name.length === end - start && isName(known.name, bytes, start)) return known;
    slot = (slot + 1) & (commonSlots - 1);
    known = commonNames[slot];
  }
  slot = hash & (learnedSlots - 1);
  known = learnedNames[slot];
  if (known && known.name.length === end - start && isName(known.name, bytes, start)) return known;
  const learned = fieldName(bytes.toString('latin1', start, end).toLowerCase());
  if (end - start <= maxLearnedLength) learnedNames[slot] = learned;
  return learned;
}

/** Adds a lowercase byte to the hash of a field name. The initial hash is 0. */
export function addToHash(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}

/** Reports whether the bytes at `start` begin with a lowercase name, ignoring case. */
export function isName(name: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < name.length; i++) {
    if (name.charCodeAt(i) !== lowerNameByte[bytes[start + i] as number]) return false;
  }
  return true;
}

function fieldName(text: string): FieldName {
  // Intern the string by using it as a property key. V8 compares interned strings by address.
  const [name = text] = Object.keys({ [text]: 0 });
  return { name, kind: kinds.get(name) ?? ordinary, irregular: name.includes('_') || name.includes('.') };
}

function hashOf(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = addToHash(hash, name.charCodeAt(i));
  return hash;
}
