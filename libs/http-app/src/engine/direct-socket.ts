/**
 * Sockets whose input is read where it lies. Node makes a buffer and several calls for each read of an ordinary socket,
 * which is a sixth of what a small request costs; a direct socket reads into one buffer for all, and calls its reader.
 */
import type { Duplex } from 'node:stream';

/** Takes `bytes[0..end)`, which are overwritten as soon as it returns. */
export type DirectReader = (bytes: Buffer, end: number) => void;

/** A socket that can do so. Without a reader it is a stream like any other. */
export interface DirectSocket extends Duplex {
  directReader: DirectReader | null;
  /** Descriptor of a connection that takes written bytes unchanged, which TLS doesn't; -1 if it is closed. */
  readonly descriptor?: number;
}

/** Tells direct sockets from other streams. */
export function isDirect(socket: Duplex): socket is DirectSocket {
  return 'directReader' in socket;
}
