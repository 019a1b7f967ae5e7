/**
 * Writes that fail because the upstream has closed. It may have responded before, such as with 413 to a body that it does
 * not want. Node destroys a socket at such a failure, and with it what was received and is not read yet: here the owner of
 * the socket is asked first.
 */
import type { Duplex } from 'node:stream';

type Written = (error?: Error | null) => void;

/**
 * Asks `readsOn` when a write fails because the other side has closed the connection. With true, the socket writes nothing
 * more, and stays to be read: the end of what was received, or an error, comes as ever.
 */
export function askAtWriteFailure(socket: Duplex, readsOn: (error: Error) => boolean): void {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  // A stream has one callback for all its writes: what stands for it is made once.
  let known: Written | null = null;
  let asking: Written = ignore;
  const askingFor = (written: Written): Written => {
    if (written !== known) {
      known = written;
      asking = (error) => {
        // A stream that is told of nothing takes the write for one in progress.
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
