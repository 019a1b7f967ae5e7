/** Pieces of a body as they are written: as text where that is cheap, else as bytes. */
import { encodeBytes, toLatin1 } from '@sluice/base';
import type { Chunk } from '../../exchange/response.ts';

/** Texts that need encoding are written as texts up to this length, buffers up to that. */
const maxText = 4096;
export const maxBytesAsText = 512;

/** A chunk as text with one character per byte, if that is cheap; `null` if it is better written as bytes. */
export function asText(chunk: Chunk): string | null {
  if (typeof chunk !== 'string') return chunk.length <= maxBytesAsText ? chunk.toString('latin1') : null;
  const size = Buffer.byteLength(chunk);
  if (size === chunk.length) return chunk;
  return size <= maxText ? toLatin1(chunk) : null;
}

export function bytesOf(chunk: Chunk): Buffer {
  return typeof chunk === 'string' ? encodeBytes(chunk) : chunk;
}
