/**
 * Handles failed writes to an upstream that has closed the connection. The upstream may already have responded, for example with 413. By
 * default, Node.js destroys the socket together with unread data.
 */
import type { Duplex } from 'node:stream';

type Written = (error?: Error | null) => void;

/**
 * Calls `readsOn` if a write fails because the peer has closed the connection. If `readsOn` returns true, the socket stops writing but
 * remains readable. It then reports the end of the data or an error.
 */
export function askAtWriteFailure(socket: Duplex, readsOn: (error: Error) => boolean): void {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  // Cache the wrapper, because a stream passes the same callback to all writes.
  let known: Written | null = null;
  let asking: Written = ignore;
  const askingFor = (written: Written): Written => {
    if (written !== known) {
      known = written;
      asking = (error) => {
        // If the callback isn't called, the stream considers the write to be in progress.
        if (error === undefined || error === null || !isClosed(error) || !readsOn(error)) written(error);
      };
    }
    return asking;
  };
  socket._write = (chunk: unknown, encoding, written) => write(chunk, encoding, askingFor(written));
  if (writev !== undefined) socket._writev = (chunks, written) => writev(chunks, askingFor(written));
}

function isClosed(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ECONNRESET';
}

function ignore(): void {}
