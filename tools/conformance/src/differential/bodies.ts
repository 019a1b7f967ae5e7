/** Generates message bodies and their framing. */
import { gzipSync } from 'node:zlib';
import type { Bytes } from './pair.ts';
import type { Random } from './random.ts';

const line = 'The quick brown fox jumps over the lazy dog.\n';

/** Sample message bodies with various contents. */
export const contents: readonly Bytes[] = [
  'hello',
  line,
  '<!DOCTYPE html><title>t</title><p>text',
  '{"a": [1, 2, 3]}',
  '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  '\0\x01\x02\x03\xff\xfe',
  'caf\xc3\xa9',
  line.repeat(20),
  line.repeat(1600),
];

export const zipped: Bytes = gzipSync(line.repeat(10)).toString('latin1');

/** Splits a body into chunks, sometimes with extensions and trailers. */
export function chunked(body: Bytes, random: Random, trailers: readonly string[] = []): Bytes {
  let framed = '';
  for (let at = 0; at < body.length;) {
    const size = random.integer(1, body.length - at);
    const length = random.chance(0.2) ? size.toString(16).toUpperCase() : size.toString(16);
    const extension = random.chance(0.15) ? random.pick([';a', ';a=b', ';a="b c"']) : '';
    framed += `${length}${extension}\r\n${body.slice(at, at + size)}\r\n`;
    at += size;
  }
  return `${framed}0\r\n${trailers.map((each) => `${each}\r\n`).join('')}\r\n`;
}
