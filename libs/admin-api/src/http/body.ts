/** Request bodies, within bounds. */
import type { IncomingMessage } from 'node:http';
import { requestError } from '../errors.ts';

/** Largest body that is read, in bytes, unless the server is told otherwise. */
export const defaultBodyLimit = 64 * 1024 * 1024;

/** Raised when the client goes away in the middle of its body; there is no client to respond to then. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Reads the whole body. One that is larger than `limit` bytes is an error of status 413; its rest is dropped. */
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
      // Every request closes; an error takes a look at the stack.
      request.off('close', gone);
      resolve(Buffer.concat(chunks, size));
    });
    request.on('error', gone);
    request.on('close', gone);
  });
}
