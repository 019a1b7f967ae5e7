/**
 * Sockets that read without copying. An ordinary Node socket creates a buffer and makes several calls for each read, which is a sixth of
 * the cost of a small request. A direct socket reads into a shared buffer and calls its reader.
 */
import type { Duplex } from 'node:stream';

/** Receives `bytes[0..end)`. The buffer is overwritten after the function returns. */
export type DirectReader = (bytes: Buffer, end: number) => void;

/** A socket with direct reads. Without a reader, it behaves like an ordinary stream. */
export interface DirectSocket extends Duplex {
  directReader: DirectReader | null;
  /** File descriptor, if the socket sends written bytes unchanged, that is, without TLS. -1 if the socket is closed. */
  readonly descriptor?: number;
}

export function isDirect(socket: Duplex): socket is DirectSocket {
  return 'directReader' in socket;
}
