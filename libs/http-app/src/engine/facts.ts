/** Facts about an accepted socket, known before the first request. */
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { ConnectionNotes, TlsInfo } from '../exchange/connection.ts';

/**
 * Socket addresses and TLS details. Listener wrappers may replace them, for example with the client address in a PROXY
 * header.
 */
export interface SocketFacts {
  /** Address without brackets; empty for a Unix socket. */
  remoteAddress: string;
  remotePort: number;
  localAddress: string;
  localPort: number;
  /** True for a Unix socket listener. */
  unix: boolean;
  tls: TlsInfo | null;
  readonly notes: ConnectionNotes;
}

/**
 * Returns the facts of a plain socket. Call immediately after accept, because a closed socket no longer has its
 * addresses.
 */
export function factsOf(socket: Socket, unix: boolean): SocketFacts {
  return {
    remoteAddress: unix ? '' : plainAddress(socket.remoteAddress ?? ''),
    remotePort: unix ? 0 : (socket.remotePort ?? 0),
    localAddress: unix ? '' : plainAddress(socket.localAddress ?? ''),
    localPort: unix ? 0 : (socket.localPort ?? 0),
    unix,
    tls: null,
    notes: { opening: null, point: null },
  };
}

/** Converts `::ffff:192.0.2.1`, an IPv4 peer of a dual-stack socket, to `192.0.2.1`. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** Serves an accepted socket. */
export type ServeSocket = (socket: Duplex, facts: SocketFacts) => void;

/**
 * Runs the steps between accept and HTTP: listener wrappers and TLS. Then calls `serve`, or destroys the socket.
 * `facts.tls.protocol` selects the HTTP version; without it, the first bytes do.
 */
export type SocketChain = (socket: Socket, facts: SocketFacts, serve: ServeSocket) => void;
