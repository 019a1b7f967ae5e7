/** Converts body chunks to the form that is cheapest to write: strings or bytes. */
import { encodeBytes, toLatin1 } from '@sluice/base';
import type { Chunk } from '../../exchange/response.ts';

/** Maximum sizes of values that are written as strings: the length of non-ASCII strings, and the size of buffers in bytes. */
const maxText = 4096;
export const maxBytesAsText = 512;

/** Returns a chunk as a string with one character per byte, if this is cheap. Returns `null` if writing bytes is better. */
export function asText(chunk: Chunk): string | null {
  if (typeof chunk !== 'string') return chunk.length <= maxBytesAsText ? chunk.toString('latin1') : null;
  const size = Buffer.byteLength(chunk);
  if (size === chunk.length) return chunk;
  return size <= maxText ? toLatin1(chunk) : null;
}

export function bytesOf(chunk: Chunk): Buffer {
  return typeof chunk === 'string' ? encodeBytes(chunk) : chunk;
}
