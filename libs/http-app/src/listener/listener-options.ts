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
  /** Listening sockets that were inherited from a previous process or can be handed over to another process. */
  readonly sockets?: ListenSockets;
  readonly log: Logger;
  readonly onEvent?: ListenerEvents;
  /**
   * File descriptor limit. If a new connection gets this or a higher descriptor, the listener refuses it. Default: the first reserved
   * descriptor.
   */
  readonly firstReserved?: number;
}

/** A service that receives accepted connections instead of an HTTP server. */
export interface RawService {
  /** Accepts a connection, and keeps it registered with `host` for as long as it is open. Must not throw. */
  accept(host: ConnectionHost, socket: Socket, facts: SocketFacts): void;
}
