/** What a listener is opened with, and who takes its connections. */
import type { Socket } from 'node:net';
import type { ListenSockets, Logger, NetworkAddress } from '@sluice/base';
import type { ConnectionHost, SocketFacts } from '../engine/index.ts';
import type { ListenerEvents } from './events.ts';

/** What a listener is opened with. */
export interface ListenerOptions {
  /** With a single port; see `expandPorts`. */
  readonly address: NetworkAddress;
  /** Share the port with listeners of other threads (SO_REUSEPORT). */
  readonly reusePort: boolean;
  /** Where listening sockets are handed over to and from other processes. */
  readonly sockets?: ListenSockets;
  readonly log: Logger;
  readonly onEvent?: ListenerEvents;
  /** Connections with this descriptor or a higher one are refused; by default those that are reserved. */
  readonly firstReserved?: number;
}

/** Takes connections as they are accepted, instead of a server that speaks HTTP on them. */
export interface RawService {
  /** Takes a connection, and adds it to the host for as long as it is open. Must not throw. */
  accept(host: ConnectionHost, socket: Socket, facts: SocketFacts): void;
}
