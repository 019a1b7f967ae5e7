/** Base64, base32, checksums. */
import { createHash } from 'node:crypto';
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { text } from '../functions/parameters.ts';
import { decodeText, encodeText } from '../values/text.ts';

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function hash(algorithm: string): TemplateFunction {
  return declare([text], (value) => createHash(algorithm).update(encodeText(value)).digest('hex'));
}

/** Returns the Adler-32 checksum of a string (RFC 1950 §8.2) as a decimal number. */
function adler32(value: string): string {
  let a = 1;
  let b = 0;
  for (const byte of encodeText(value)) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return String(b * 65_536 + a);
}

function encodeBase32(value: string): string {
  let encoded = '';
  let bits = 0;
  let buffer = 0;
  for (const byte of encodeText(value)) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      encoded += base32Alphabet.charAt((buffer >> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  if (bits > 0) encoded += base32Alphabet.charAt((buffer << (5 - bits)) & 31);
  return encoded.padEnd(Math.ceil(encoded.length / 8) * 8, '=');
}

/** Decodes base32. Returns an error message instead of the text if the input is invalid, and never throws. */
function decodeBase32(value: string): string {
  const source = value.replaceAll(/[\r\n]/g, '');
  const match = /^([A-Z2-7]*)(=*)$/.exec(source);
  const digits = match?.[1] ?? '';
  const padding = match?.[2] ?? '';
  const whole = source.length % 8 === 0 && [0, 6, 4, 3, 1].includes(padding.length);
  if (match === null || !whole) return `illegal base32 data at input byte ${errorIndex(source, /[A-Z2-7]/, 8)}`;
  const bytes: number[] = [];
  let bits = 0;
  let buffer = 0;
  for (const digit of digits) {
    buffer = ((buffer << 5) | base32Alphabet.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((buffer >> bits) & 0xff);
  }
  return decodeText(Uint8Array.from(bytes));
}

function decodeBase64(value: string): string {
  const bytes = decodeBase64Bytes(value);
  return typeof bytes === 'string' ? bytes : decodeText(bytes);
}

/** Decodes standard base64 with padding. Returns an error message if the input is invalid. */
export function decodeBase64Bytes(value: string): Uint8Array | string {
  const source = value.replaceAll(/[\r\n]/g, '');
  const valid = source.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(source) && !source.startsWith('=');
  if (valid) return Buffer.from(source, 'base64');
  return `illegal base64 data at input byte ${errorIndex(source, /[A-Za-z0-9+/]/, 4)}`;
}

/** Returns the index of the first invalid byte. If a group is incomplete, returns the index of its first byte. */
function errorIndex(source: string, alphabet: RegExp, group: number): number {
  let at = 0;
  while (at < source.length && alphabet.test(source.charAt(at))) at++;
  if (at === source.length) return at - (at % group);
  if (source[at] !== '=' || at % group < 2) return at;
  let end = at;
  while (source[end] === '=' && end % group !== 0) end++;
  if (end % group !== 0) return end < source.length ? at : end;
  return end;
}

export const encodings: Readonly<Record<string, TemplateFunction>> = {
  b64enc: declare([text], (value) => Buffer.from(encodeText(value)).toString('base64')),
  b64dec: declare([text], decodeBase64),
  b32enc: declare([text], encodeBase32),
  b32dec: declare([text], decodeBase32),
  sha1sum: hash('sha1'),
  sha256sum: hash('sha256'),
  sha512sum: hash('sha512'),
  adler32sum: declare([text], adler32),
};
