/**
 * A listening socket and its connections. A listener survives configuration changes. New connections and new requests are handled by the
 * server of the current configuration.
 */
import type { AddressInfo, Server, Socket } from 'node:net';
import {
  descriptorOf,
  duplicateDescriptor,
  guarded,
  listenerKey,
  ListenSockets,
  polledSockets,
  reportFault,
  SocketFile,
  taskOf,
  unawaited,
  unixSocketPath,
  type Logger,
  type NetworkAddress,
} from '@sluice/base';
import type { Pooled } from '@sluice/registry';
import { ConnectionHost, CutReports, EngineHost, factsOf, serveSocket, type SocketChain } from '../engine/index.ts';
import type { RequestSplit } from '../engine/engine-host.ts';
import type { ServerHandle } from '../engine/server-handle.ts';
import { acceptDirectly } from './accept.ts';
import { adopt, bind, closed, newServer } from './bind.ts';
import { firstReserved } from './descriptors.ts';
import type { ListenerEvents } from './events.ts';
import type { ListenerOptions, RawService } from './listener-options.ts';
import { PendingConnection } from './pending-connection.ts';
import type { PolledListeners } from './polled-listeners.ts';
import { Refusals } from './refusals.ts';

const task = taskOf('http');

/** A listener that accepts connections on one address and serves them. */
export class Listener implements Pooled {
  /** Listener wrappers and TLS for new connections; `null` if there are none. Set when a configuration becomes active. */
  chain: SocketChain | null = null;
  /** True to accept connections without libuv handles, if supported. Set when a configuration becomes active. */
  polls = false;
  /** Protocols for connections without TLS. If `null`, the server's protocols apply. Set when a configuration becomes active. */
  protocols: readonly string[] | null = null;
  /** Grace period for requests in flight after {@link retire}, in milliseconds. 0 means no limit. */
  graceMs = 0;
  readonly #server: Server;
  /** The listener's main server, plus servers on sockets that the previous process opened for the same address. */
  readonly #servers: Server[];
  /**
   * Sockets inherited from the previous process, which still accepts connections on them. This process starts accepting only when a
   * configuration becomes active. If startup fails, no connections are lost.
   */
  #handed: readonly number[] = [];
  /** Servers that accept connections for threads that currently can't accept. The keys are the control thread's file descriptors. */
  readonly #standIns = new Map<number, Server>();
  #file: SocketFile | null = null;
  readonly #address: NetworkAddress;
  readonly #sockets: ListenSockets;
  readonly #unix: boolean;
  readonly #log: Logger;
  readonly #onEvent: ListenerEvents;
  /** Connections accepted before a configuration became active. */
  #waiting: Socket[] = [];
  #host: EngineHost | null = null;
  #split: RequestSplit | null = null;
  /** Service that receives new connections; `null` if an HTTP server receives them. */
  #service: RawService | null = null;
  readonly #served = new ConnectionHost();
  #graceTimer: NodeJS.Timeout | null = null;
  #closed: Promise<void> | null = null;
  readonly #firstReserved: number;
  readonly #refusals: Refusals;
  /** Accepts connections without libuv handles; `null` if the switch is off. */
  #polled: PolledListeners | null = null;

  private constructor(server: Server, options: ListenerOptions) {
    this.#server = server;
    this.#servers = [server];
    this.#sockets = options.sockets ?? new ListenSockets();
    this.#address = options.address;
    this.#unix = options.address.network === 'unix';
    this.#log = options.log;
    this.#refusals = new Refusals(options.log);
    this.#firstReserved = options.firstReserved ?? firstReserved;
    this.#onEvent = options.onEvent ?? (() => undefined);
    this.#prepare(server);
  }

  /** Binds the address. Throws `ERR_LISTEN` with the reason if this fails. */
  static async open(options: ListenerOptions): Promise<Listener> {
    const listener = new Listener(newServer(), options);
    if (polledSockets.allowed) await listener.#loadPolled();
    await listener.#listen(options);
    options.onEvent?.('listener_bound');
    return listener;
  }

  async #loadPolled(): Promise<void> {
    const { PolledListeners } = await import('./polled-listeners.ts');
    this.#polled = new PolledListeners(this.#sockets, (socket) => this.#takeIn(socket));
  }

  /** Takes over the previous process's sockets for this address. If there are none, binds the address. */
  async #listen({ address, reusePort }: ListenerOptions): Promise<void> {
    this.#handed = this.#sockets.take(this.key);
    if (this.#handed.length > 0) return;
    this.#file = await bind(this.#server, address, reusePort);
    this.#opened(this.#server);
  }

  /** Starts accepting on the sockets inherited from the previous process. */
  #adopt(): void {
    for (const [index, descriptor] of this.#handed.entries()) {
      const server = index === 0 ? this.#server : newServer();
      if (index > 0) {
        this.#prepare(server);
        this.#servers.push(server);
      }
      adopt(server, this.#sockets.own(descriptor));
      this.#opened(server, descriptor);
    }
    const isFile = this.#unix && !this.#address.host.startsWith('@');
    if (this.#handed.length > 0 && isFile) this.#file = SocketFile.existing(unixSocketPath(this.#address));
    this.#handed = [];
  }

  #opened(server: Server, taken = -1): void {
    this.#sockets.opened(server, this.key, taken);
    acceptDirectly(server, (socket) => this.#takeIn(socket));
  }

  #prepare(server: Server): void {
    server.on('connection', (socket) => this.#takeIn(socket));
    server.on('error', (error) => this.#log.error('failed to accept connections', { error }));
  }

  /** Server of the current configuration; `null` before the first configuration. */
  get target(): ServerHandle | null {
    return this.#host?.target ?? null;
  }

  set target(target: ServerHandle | null) {
    if (target === null) return;
    const isFirst = !this.#isServing;
    this.#service = null;
    if (this.#host === null) this.#host = new EngineHost(target, new CutReports(this.#log));
    else this.#host.target = target;
    this.#host.protocols = this.protocols;
    if (isFirst) this.#begin();
    const polled = this.polls && !this.#unix ? this.#servers : [];
    if (this.#closed === null) this.#polled?.start(polled, target.limits.keepAliveInterval);
  }

  /** Splits requests between the server and a canary; `null` if no canary is running. */
  get split(): RequestSplit | null {
    return this.#split;
  }

  set split(split: RequestSplit | null) {
    this.#split = split;
    if (this.#host !== null) this.#host.split = split;
  }

  /** Service that receives new connections instead of an HTTP server, or `null`. */
  get service(): RawService | null {
    return this.#service;
  }

  set service(service: RawService | null) {
    if (service === null) return;
    const isFirst = !this.#isServing;
    this.#service = service;
    if (isFirst) this.#begin();
  }

  get #isServing(): boolean {
    return this.#service !== null || this.#host !== null;
  }

  #begin(): void {
    this.#adopt();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const socket of waiting) if (!socket.destroyed) this.#takeIn(socket);
  }

  /** Address and port, or the path of a Unix socket; `null` after the listener is closed. */
  get address(): AddressInfo | string | null {
    return this.#file?.path ?? this.#server.address();
  }

  /** Key that identifies the listening address among all sockets of the process. */
  get key(): string {
    return listenerKey(this.#address);
  }

  /** Accepts queued connections for another thread that currently can't accept. The caller owns the descriptor. */
  standIn(descriptor: number): void {
    if (!this.#isServing || this.#closed !== null || this.#standIns.has(descriptor)) return;
    const own = duplicateDescriptor(descriptor) ?? -1;
    if (own < 0) return;
    const server = newServer();
    this.#prepare(server);
    this.#standIns.set(descriptor, server);
    adopt(server, own);
    acceptDirectly(server, (socket) => this.#takeIn(socket));
  }

  /** Stops accepting connections for the other thread. This thread keeps the connections that it has accepted. */
  endStandIn(descriptor: number): void {
    this.#standIns.get(descriptor)?.close();
    this.#standIns.delete(descriptor);
  }

  get connections(): number {
    return (this.#host?.size ?? 0) + this.#served.size + this.#waiting.length;
  }

  /**
   * Stops accepting connections, because another process now accepts on the socket. Each open connection closes after its next response, so
   * no request is interrupted. `retire` closes the remaining connections.
   */
  leave(): void {
    this.#stopListening();
    if (this.#host !== null) this.#host.retired = true;
  }

  retire(): void {
    this.#stopListening();
    for (const socket of this.#waiting) socket.destroy();
    this.#waiting = [];
    this.#served.retire();
    const host = this.#host;
    if (host === null) return;
    host.retire();
    if (this.graceMs > 0 && host.size > 0) {
      this.#graceTimer = setTimeout(
        guarded(task, () => host.cut()),
        this.graceMs,
      ).unref();
      unawaited(
        task,
        host.empty().then(() => this.#stopGrace()),
      );
    }
  }

  async close(): Promise<void> {
    this.retire();
    this.#host?.finish();
    this.#served.finish();
    if ((this.#host?.size ?? 0) === 0) this.#stopGrace();
    await this.#closed;
  }

  /** Handles an accepted connection. A failure closes only this connection. */
  #takeIn(socket: Socket): void {
    try {
      this.#accept(socket);
    } catch (error) {
      reportFault({ part: 'connection', error, log: this.#log });
      socket.destroy();
    }
  }

  #accept(socket: Socket): void {
    if (descriptorOf(socket) >= this.#firstReserved) this.#refusals.refuse(socket, this.connections);
    else if (this.#service !== null) this.#service.accept(this.#served, socket, factsOf(socket, this.#unix));
    else if (this.#host === null) {
      socket.on('error', () => undefined);
      this.#waiting.push(socket);
    } else this.#serve(this.#host, socket);
  }

  #serve(host: EngineHost, socket: Socket): void {
    const facts = factsOf(socket, this.#unix);
    const interval = host.target.limits.keepAliveInterval;
    if (interval > 0 && !this.#unix) socket.setKeepAlive(true, interval);
    if (this.chain === null) serveSocket(host, socket, facts);
    else PendingConnection.start(host, socket, facts, this.chain);
  }

  #stopListening(): void {
    if (this.#closed !== null) return;
    for (const descriptor of this.#handed) this.#sockets.giveBack(this.key, descriptor);
    this.#handed = [];
    this.#polled?.stop();
    for (const descriptor of [...this.#standIns.keys()]) this.endStandIn(descriptor);
    this.#closed = Promise.all(this.#servers.map(closed)).then(() => undefined);
    for (const server of this.#servers) this.#sockets.closed(server);
    if (!this.#sockets.handedOver) this.#file?.remove();
    this.#file = null;
    this.#onEvent('listener_released');
  }

  #stopGrace(): void {
    if (this.#graceTimer !== null) clearTimeout(this.#graceTimer);
    this.#graceTimer = null;
  }
}
