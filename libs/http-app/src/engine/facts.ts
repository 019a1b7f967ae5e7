/** Properties of an accepted socket that are known before the first request. */
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { ConnectionNotes, TlsInfo } from '../exchange/connection.ts';

/** Socket addresses and TLS details. Listener wrappers may replace them, for example with the client IP address in a PROXY header. */
export interface SocketFacts {
  /** Client IP address without brackets. Empty for a Unix socket. */
  remoteAddress: string;
  remotePort: number;
  localAddress: string;
  localPort: number;
  /** True if the listener is a Unix socket. */
  unix: boolean;
  tls: TlsInfo | null;
  readonly notes: ConnectionNotes;
}

/**
 * Returns the properties of a socket without TLS. Call this function immediately after accepting the socket, because a closed socket no
 * longer provides its addresses.
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

/** Converts an IPv4-mapped address of a dual-stack socket to IPv4. For example, `::ffff:192.0.2.1` becomes `192.0.2.1`. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** Serves HTTP on an accepted socket. */
export type ServeSocket = (socket: Duplex, facts: SocketFacts) => void;

/**
 * Runs listener wrappers and TLS on an accepted socket. Then calls `serve` or destroys the socket. `facts.tls.protocol` selects the HTTP
 * version. If it is missing, the first bytes determine the version.
 */
export type SocketChain = (socket: Socket, facts: SocketFacts, serve: ServeSocket) => void;
