/**
 * Sockets read without copies. For each read of an ordinary socket, Node creates a buffer and makes several calls, which is a sixth of the
 * cost of a small request. A direct socket reads into one shared buffer and calls its reader.
 */
import type { Duplex } from 'node:stream';

/** Receives `bytes[0..end)`, which are overwritten after the function returns. */
export type DirectReader = (bytes: Buffer, end: number) => void;

/** Socket with direct reads. Without a reader, the socket behaves like an ordinary stream. */
export interface DirectSocket extends Duplex {
  directReader: DirectReader | null;
  /** Descriptor of a connection that sends written bytes unchanged, which TLS doesn't; -1 if closed. */
  readonly descriptor?: number;
}

export function isDirect(socket: Duplex): socket is DirectSocket {
  return 'directReader' in socket;
}
