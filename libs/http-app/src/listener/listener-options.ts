/** Options of a listener, and the service that accepts its connections. */
import type { Socket } from 'node:net';
import type { ListenSockets, Logger, NetworkAddress } from '@sluice/base';
import type { ConnectionHost, SocketFacts } from '../engine/index.ts';
import type { ListenerEvents } from './events.ts';

export interface ListenerOptions {
  /** Address with a single port; see `expandPorts`. */
  readonly address: NetworkAddress;
  /** Share the port with other threads (SO_REUSEPORT). */
  readonly reusePort: boolean;
  /** Inherited listening sockets, and sockets to hand over to other processes. */
  readonly sockets?: ListenSockets;
  readonly log: Logger;
  readonly onEvent?: ListenerEvents;
  /** Connections with this descriptor or a higher one are refused. Default: the reserved descriptors. */
  readonly firstReserved?: number;
}

/** Receives accepted connections instead of an HTTP server. */
export interface RawService {
  /** Accepts a connection, and keeps it registered with the host while it is open. Must not throw. */
  accept(host: ConnectionHost, socket: Socket, facts: SocketFacts): void;
}
