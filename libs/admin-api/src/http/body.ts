/** Size-limited request bodies. */
import type { IncomingMessage } from 'node:http';
import { requestError } from '../errors.ts';

/** Default maximum body size, in bytes. */
export const defaultBodyLimit = 64 * 1024 * 1024;

/** Error for a client that disconnects before its request body is complete. In this case, the server cannot send a response. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Reads the entire request body. If the body exceeds `limit` bytes, rejects with status 413 and discards the rest of the body. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (error: Error): void => {
      request.removeAllListeners('data');
      request.resume();
      reject(error);
    };
    const refuse = (): void => stop(requestError(`the request body is larger than ${limit} bytes`, 413));
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      refuse();
      return;
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) refuse();
      else chunks.push(chunk);
    });
    const gone = (): void => stop(new ClientGone());
    request.on('end', () => {
      // Remove this listener first: every request emits `close`, and creating the error would capture a stack trace.
      request.off('close', gone);
      resolve(Buffer.concat(chunks, size));
    });
    request.on('error', gone);
    request.on('close', gone);
  });
}
