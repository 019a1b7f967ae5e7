/**
 * Sockets that read without copies. An ordinary Node socket creates a buffer and makes several calls per read, a sixth
 * of the cost of a small request. A direct socket reads into one shared buffer and calls its reader.
 */
import type { Duplex } from 'node:stream';

/** Receives `bytes[0..end)`. The buffer is overwritten after the function returns. */
export type DirectReader = (bytes: Buffer, end: number) => void;

/** Socket with direct reads. Without a reader, the socket behaves like an ordinary stream. */
export interface DirectSocket extends Duplex {
  directReader: DirectReader | null;
  /** File descriptor, if written bytes are sent unchanged (not TLS); -1 if closed. */
  readonly descriptor?: number;
}

export function isDirect(socket: Duplex): socket is DirectSocket {
  return 'directReader' in socket;
}
