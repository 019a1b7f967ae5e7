/** Value encoding of Caddy's `redis` module: JSON with base64 data. */
import { inflateRawSync, inflateSync } from 'node:zlib';
import { SluiceError } from '@sluice/base';

/** Content of a stored JSON value. */
interface Stored {
  readonly value: string | null;
  readonly modified: string;
  readonly size: number;
  readonly compression?: number;
  readonly encryption?: number;
}

/** A decoded value. */
export interface ReadValue {
  readonly bytes: Buffer;
  readonly modified: number;
}

export function encodeValue(value: Buffer | string): string {
  const bytes = Buffer.from(value);
  const modified = new Date().toISOString();
  const stored: Stored = {
    value: bytes.toString('base64'),
    modified,
    size: bytes.length,
    compression: 0,
    encryption: 0,
  };
  return JSON.stringify(stored);
}

/** Decodes the result of {@link encodeValue}. Also decodes values that the Caddy module has compressed. */
export function decodeValue(key: string, text: string): ReadValue {
  const { value, modified, compression = 0, encryption = 0 } = JSON.parse(text) as Stored;
  if (encryption !== 0) throw notRead(key, 'is encrypted (encryption_key), which is not supported');
  const bytes = Buffer.from(value ?? '', 'base64');
  return { bytes: inflate(key, bytes, compression), modified: Date.parse(modified) };
}

function inflate(key: string, bytes: Buffer, compression: number): Buffer {
  if (compression === 0) return bytes;
  if (compression === 1) return inflateRawSync(bytes);
  if (compression === 2) return inflateSync(bytes);
  throw notRead(key, `has an unsupported compression format (${compression})`);
}

function notRead(key: string, problem: string): SluiceError {
  return new SluiceError('ERR_STORAGE_VALUE', `value of ${key} ${problem}`);
}
