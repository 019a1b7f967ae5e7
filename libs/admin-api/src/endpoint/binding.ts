/** A bound address of an admin endpoint. The binding exists until the last response is complete. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { chmodSync } from 'node:fs';
import { Server as NetServer, type AddressInfo, type ListenOptions, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  closeDescriptor,
  guarded,
  isUnixNetwork,
  joinHostPort,
  listenerKey,
  messageOf,
  SocketFile,
  taskOf,
  unixSocketPath,
  type ListenSockets,
  type Logger,
  type NetworkAddress,
} from '@sluice/base';
import { addressError } from '../errors.ts';
import { messages, type ApiListener, type ApiServer } from '../messages/classes.ts';
import type { ApiRequest } from '../messages/request.ts';
import type { ApiResponse } from '../messages/response.ts';
import { sendError } from '../http/send.ts';
import { refuseBrokenRequest, refuseConnect } from '../http/broken-request.ts';
import { defaultSocketMode, listenOptions } from './address.ts';
import type { Guard } from './guard.ts';
import { createSecureServer, type SecureSettings } from './secure-server.ts';
import { withMode } from './unix-socket.ts';

/** Task to which errors in server callbacks are attributed if they occur outside of requests. */
const admin = taskOf('admin');

/** Handles a request that a binding receives. */
export type BindingListener = (request: ApiRequest, response: ApiResponse, binding: Binding) => void;

export interface BindingSettings {
  /** True to allow a port that this process already listens on. */
  readonly shared: boolean;
  /** TLS settings. `null` for plain HTTP. */
  readonly secure: SecureSettings | null;
  readonly log: Logger;
  /** Listening sockets inherited from the previous process, and sockets to hand over to the next process. */
  readonly sockets: ListenSockets;
}

/** A listening address of an admin endpoint. The guard can be replaced while the address is in use. */
export class Binding {
  readonly address: NetworkAddress;
  guard: Guard | null = null;
  /** TLS settings. `null` for plain HTTP. A binding cannot switch between HTTP and TLS. */
  secure: SecureSettings | null;
  readonly #server: ApiServer;
  readonly #sockets: ListenSockets;
  readonly #log: Logger;
  /**
   * Listening socket inherited from the previous process. The previous process keeps accepting connections until this process starts to do
   * so. `null` if no socket is inherited.
   */
  #handed: number | null = null;
  #file: SocketFile | null = null;
  readonly #responses = new Set<ServerResponse>();
  /** Idle keep-alive connections. Excludes new connections that have not sent a request yet. */
  readonly #idle = new Set<Socket>();
  readonly #unbound = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  /** Loads the current certificate for clients that send no SNI. */
  readonly refreshCertificate: () => void = () => undefined;
  #retired = false;

  /**
   * Binds an address. Errors contain the address and the reason. Unless `shared` is set, rejects a port that is in use. Without this check,
   * the operating system would let this process bind a second socket to the port.
   */
  static async open(address: NetworkAddress, listener: BindingListener, settings: BindingSettings): Promise<Binding> {
    const options = await listenOptions(address);
    const binding = new Binding(address, listener, settings);
    try {
      if (binding.#takeOver()) return binding;
      if (options.port !== undefined && options.port !== 0 && !settings.shared) await probe(options);
      await binding.#listen(options);
    } catch (error) {
      throw addressError(`cannot listen on ${binding.#asConfigured()}: ${messageOf(error)}`, error);
    }
    return binding;
  }

  private constructor(
    address: NetworkAddress,
    listener: BindingListener,
    { secure, log, sockets }: Pick<BindingSettings, 'secure' | 'log' | 'sockets'>,
  ) {
    this.address = address;
    this.#sockets = sockets;
    this.#log = log;
    this.secure = secure;
    const take: ApiListener = (request, response) => {
      this.#asked(request.socket, response);
      listener(request, response, this);
    };
    if (secure === null) this.#server = createServer({ ...messages, requireHostHeader: false }, take);
    else {
      const { server, refresh } = createSecureServer(() => this.secure ?? secure, take, log);
      this.#server = server;
      this.refreshCertificate = refresh;
    }
    this.#server.on('connection', (socket: Socket) => socket.once('close', () => this.#idle.delete(socket)));
    this.#server.on(
      'clientError',
      guarded(admin, (error: Error, socket: Duplex) => this.#broken(error, socket as Socket)),
    );
    this.#server.on('connect', guarded(admin, refuseConnect));
    this.#server.on(
      'checkExpectation',
      guarded(admin, (request: IncomingMessage, response: ServerResponse) => {
        this.#asked(request.socket, response);
        sendError(
          response,
          417,
          `unsupported expectation ${JSON.stringify(request.headers.expect)}: only 100-continue is supported`,
          'ERR_ADMIN_REQUEST',
        );
      }),
    );
    this.#server.once('close', () => {
      this.#server.close(); // Releases what the HTTP server keeps besides its socket.
      this.#closed.resolve();
    });
  }

  /** Returns the bound port. For port 0, the operating system assigns the port. Returns 0 for a Unix socket. */
  get port(): number {
    const bound = this.#server.address();
    return typeof bound === 'object' && bound !== null ? (bound satisfies AddressInfo).port : 0;
  }

  get text(): string {
    if (isUnixNetwork(this.address.network)) return `${this.address.network}/${this.address.host}`;
    return joinHostPort(this.address.host, this.port);
  }

  /** Resolves when a retired binding has stopped listening. */
  get unbound(): Promise<void> {
    return this.#unbound.promise;
  }

  /** Resolves when the last connection of a retired binding has closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /**
   * Stops listening and closes idle connections. Responses in flight are completed. Unless `now` is true, the socket stays open for one
   * more event loop turn, to serve clients that have already connected.
   */
  retire(now = false): void {
    if (this.#retired) return;
    this.#retired = true;
    if (now) this.#unbind();
    else setImmediate(() => setImmediate(guarded(admin, () => this.#unbind())));
    for (const response of this.#responses) if (!response.headersSent) response.setHeader('Connection', 'close');
    for (const socket of this.#idle) socket.end();
  }

  /** Retires the binding and waits up to `graceMs` milliseconds for responses in flight. Aborts the remaining responses. */
  async close(graceMs: number): Promise<void> {
    this.retire(true);
    await this.#unbound.promise;
    const end = (): void => this.#server.closeAllConnections();
    const timer = setTimeout(end, graceMs);
    if (this.#responses.size === 0) end();
    await this.#closed.promise;
    clearTimeout(timer);
  }

  /** Sets the permissions of a Unix socket. For a bound socket, the change takes effect immediately. */
  setMode(mode: number): void {
    chmodSync(this.address.host, mode);
  }

  #asked(socket: Socket, response: ServerResponse): void {
    this.#responses.add(response);
    this.#idle.delete(socket);
    if (this.#retired) response.setHeader('Connection', 'close');
    response.on('close', () => {
      this.#responses.delete(response);
      if (this.#retired) socket.end();
      else if (!socket.destroyed) this.#idle.add(socket);
    });
  }

  /**
   * Handles an HTTP parse error. Invalid data after a complete request, such as an undeclared body, doesn't affect the response to that
   * request.
   */
  #broken(error: Error, socket: Socket): void {
    const complete = [...this.#responses].find(({ req }) => req.socket === socket && req.complete);
    if (complete === undefined) refuseBrokenRequest(error, socket);
    else if (!complete.headersSent) complete.setHeader('Connection', 'close');
  }

  /**
   * Stops listening. Calls the `close` method of the TCP server. The `close` method of the HTTP server would also close connections that
   * are still receiving their first request.
   */
  #unbind(): void {
    if (this.#handed !== null) closeDescriptor(this.#handed);
    this.#handed = null;
    NetServer.prototype.close.call(this.#server);
    if (!this.#sockets.handedOver) this.#file?.remove();
    this.#sockets.closed(this.#server);
    this.#unbound.resolve();
  }

  get #key(): string {
    return `admin ${listenerKey(this.address)}`;
  }

  /** Takes over the listening socket that the previous process handed over for this address. Returns false if there is none. */
  #takeOver(): boolean {
    const [fd] = this.#sockets.take(this.#key);
    this.#handed = fd ?? null;
    return fd !== undefined;
  }

  /**
   * Starts accepting connections on the inherited socket when the configuration becomes active. If accepting started earlier and the
   * configuration failed to load, connections would be lost.
   */
  begin(): void {
    if (this.#handed === null) return;
    this.#server.on('error', (error) => this.#log.error('admin endpoint failed to accept connections', { error }));
    this.#server.listen({ fd: this.#handed });
    this.#handed = null;
    this.#sockets.opened(this.#server, this.#key);
    if (isUnixNetwork(this.address.network) && !this.address.host.startsWith('@'))
      this.#file = SocketFile.existing(unixSocketPath(this.address));
  }

  async #listen(options: ListenOptions): Promise<void> {
    if (options.path === undefined)
      return this.#bind({ ...options, reusePort: true }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTSUP') throw error;
        return this.#bind(options);
      });
    await this.#listenOnPath(options.path);
  }

  async #listenOnPath(path: string): Promise<void> {
    if (path.startsWith('\0')) return this.#bind({ path });
    const file = await SocketFile.claim(path);
    const mode = this.address.mode ?? defaultSocketMode;
    await withMode(mode, () => this.#bind({ path: file.boundPath }));
    file.publish(mode);
    this.#file = file;
  }

  async #bind(options: ListenOptions & { readonly fd?: number }): Promise<void> {
    await listening(this.#server, options);
    this.#sockets.opened(this.#server, this.#key);
  }

  #asConfigured(): string {
    const { network, host, startPort } = this.address;
    return isUnixNetwork(network) ? `${network}/${host}` : joinHostPort(host, startPort);
  }
}

function listening(server: NetServer, options: ListenOptions & { readonly fd?: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error): void => {
      server.off('error', done).off('listening', done);
      if (error === undefined) resolve();
      else reject(error);
    };
    server.on('error', done).on('listening', done);
    server.listen(options);
  });
}

/** Throws if any process already listens on the address, even if its socket allows sharing. */
async function probe(options: ListenOptions): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen({ ...options, exclusive: true }, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}
