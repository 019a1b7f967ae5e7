/** What is known of an accepted socket before any engine sees it. */
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { ConnectionNotes, TlsInfo } from '../exchange/connection.ts';

/** Addresses and TLS of a socket. Listener wrappers may put others in: a PROXY header names the real peer. */
export interface SocketFacts {
  /** Without brackets; empty for a Unix socket. */
  remoteAddress: string;
  remotePort: number;
  localAddress: string;
  localPort: number;
  /** Whether the listener is a Unix socket. */
  unix: boolean;
  tls: TlsInfo | null;
  readonly notes: ConnectionNotes;
}

/** Reads the facts of a plain socket. To be done at once: a socket that was closed has forgotten them. */
export function factsOf(socket: Socket, unix: boolean): SocketFacts {
  return {
    remoteAddress: unix ? '' : plainAddress(socket.remoteAddress ?? ''),
    remotePort: unix ? 0 : (socket.remotePort ?? 0),
    localAddress: unix ? '' : plainAddress(socket.localAddress ?? ''),
    localPort: unix ? 0 : (socket.localPort ?? 0),
    unix,
    tls: null,
    notes: { opening: null },
  };
}

/** IPv4 peers of a dual-stack socket are `::ffff:192.0.2.1` to the system, and `192.0.2.1` to everybody else. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** Takes a socket that is ready for an engine. */
export type ServeSocket = (socket: Duplex, facts: SocketFacts) => void;

/**
 * What stands between accept and the engines: listener wrappers, TLS. It calls `serve` with the socket to talk HTTP on,
 * or destroys it. The engine is chosen by `facts.tls.protocol`, else by the first bytes.
 */
export type SocketChain = (socket: Socket, facts: SocketFacts, serve: ServeSocket) => void;
