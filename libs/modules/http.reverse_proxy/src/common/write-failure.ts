/**
 * Handles writes that fail because the upstream has closed. The upstream may have responded before, for example with 413 to an unwanted
 * body. After such a failure, Node would destroy the socket along with received but unread data. Here, the socket owner decides first.
 */
import type { Duplex } from 'node:stream';

type Written = (error?: Error | null) => void;

/**
 * Calls `readsOn` if a write fails because the other side has closed the connection. If `readsOn` returns true, the socket stops writing
 * but stays readable, and the end of the received data, or an error, is reported as usual.
 */
export function askAtWriteFailure(socket: Duplex, readsOn: (error: Error) => boolean): void {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  // A stream has one callback for all writes, so create its wrapper once.
  let known: Written | null = null;
  let asking: Written = ignore;
  const askingFor = (written: Written): Written => {
    if (written !== known) {
      known = written;
      asking = (error) => {
        // Without a callback, the stream considers the write to be in progress.
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
