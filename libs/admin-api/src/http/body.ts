/** Size-limited request bodies. */
import type { IncomingMessage } from 'node:http';
import { requestError } from '../errors.ts';

/** Default max body size, in bytes. */
export const defaultBodyLimit = 64 * 1024 * 1024;

/** Thrown if the client disconnects before its body is complete, when a response is impossible. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Reads the whole body. More than `limit` bytes fail with status 413; the rest is dropped. */
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
      // Every request emits `close`, and creating an error captures the stack.
      request.off('close', gone);
      resolve(Buffer.concat(chunks, size));
    });
    request.on('error', gone);
    request.on('close', gone);
  });
}
