/**
 * Handles failed writes to an upstream that has closed the connection. The upstream may have responded before, for
 * example with 413. Node would destroy the socket with unread data, so the owner decides here.
 */
import type { Duplex } from 'node:stream';

type Written = (error?: Error | null) => void;

/**
 * Calls `readsOn` if a write fails because the other side has closed. If it returns true, the socket stops writing but
 * remains readable, and reports the end of the data or an error.
 */
export function askAtWriteFailure(socket: Duplex, readsOn: (error: Error) => boolean): void {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  // A stream has one callback for all writes, so wrap it only once.
  let known: Written | null = null;
  let asking: Written = ignore;
  const askingFor = (written: Written): Written => {
    if (written !== known) {
      known = written;
      asking = (error) => {
        // Without calling back, the stream considers the write in progress.
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
