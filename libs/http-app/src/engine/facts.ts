/** Facts about an accepted socket, known before any engine handles it. */
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { ConnectionNotes, TlsInfo } from '../exchange/connection.ts';

/** Socket addresses and TLS details. Listener wrappers may replace them; for example, a PROXY header contains the actual peer. */
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

/** Returns the facts of a plain socket. Call immediately, because a closed socket no longer has its addresses. */
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

/** Converts `::ffff:192.0.2.1`, an IPv4 peer of a dual-stack socket, to the usual form `192.0.2.1`. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** Takes a socket that is ready for an engine. */
export type ServeSocket = (socket: Duplex, facts: SocketFacts) => void;

/**
 * Steps between accept and the engines: listener wrappers and TLS. Calls `serve` with the socket for HTTP, or destroys it.
 * `facts.tls.protocol` selects the engine, otherwise the first bytes do.
 */
export type SocketChain = (socket: Socket, facts: SocketFacts, serve: ServeSocket) => void;
