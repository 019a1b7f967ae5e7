/** Options of a listener, and the interface of a service that accepts its connections. */
import type { Socket } from 'node:net';
import type { ListenSockets, Logger, NetworkAddress } from '@sluice/base';
import type { ConnectionHost, SocketFacts } from '../engine/index.ts';
import type { ListenerEvents } from './events.ts';

export interface ListenerOptions {
  /** Address with a single port. `expandPorts` splits a port range into such addresses. */
  readonly address: NetworkAddress;
  /** True to share the port with other threads (`SO_REUSEPORT`). */
  readonly reusePort: boolean;
  /** Listening sockets that were inherited or are handed over to other processes. */
  readonly sockets?: ListenSockets;
  readonly log: Logger;
  readonly onEvent?: ListenerEvents;
  /** File descriptor limit: the listener refuses connections with this descriptor or a higher one. Default: the first reserved descriptor. */
  readonly firstReserved?: number;
}

/** A service that receives accepted connections instead of an HTTP server. */
export interface RawService {
  /** Accepts a connection and keeps it registered with `host` while it is open. Must not throw. */
  accept(host: ConnectionHost, socket: Socket, facts: SocketFacts): void;
}
