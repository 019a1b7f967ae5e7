/** Bodies of responses, for clients and for validations. */
import type { IncomingMessage } from 'node:http';
import { AcmeError } from './protocol/acme-error.ts';

/** Reads a response to its end. Rejects where it breaks off, or has more than `longest` bytes. */
export async function responseText(response: IncomingMessage, longest: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longest) throw new AcmeError('ERR_ACME_AUTHORITY', 'response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
