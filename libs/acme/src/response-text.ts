/** Reads HTTP response bodies. The ACME client and challenge validation share this code. */
import type { IncomingMessage } from 'node:http';
import { AcmeError } from './protocol/acme-error.ts';

/** Reads a response body as a string. Rejects if the response is truncated or exceeds `maxSize` bytes. */
export async function responseText(response: IncomingMessage, maxSize: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxSize) throw new AcmeError('ERR_ACME_AUTHORITY', 'response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
