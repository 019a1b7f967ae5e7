/** One address that the admin endpoint listens on, from the bind until its last response is complete. */
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

/** Owns what the server calls that is of no one request. */
const admin = taskOf('admin');

/** Responds to a request that came in through a binding. */
export type BindingListener = (request: ApiRequest, response: ApiResponse, binding: Binding) => void;

/** How an address is bound. */
export interface BindingSettings {
  /** The port may be one that this process listens on already. */
  readonly shared: boolean;
  /** What it speaks TLS with; `null` for plain HTTP. */
  readonly secure: SecureSettings | null;
  readonly log: Logger;
  /** Where listening sockets are handed over to and from other processes. */
  readonly sockets: ListenSockets;
}

/** Listens. Its guard may be exchanged while it does. */
export class Binding {
  readonly address: NetworkAddress;
  guard: Guard | null = null;
  /** What it speaks TLS with; `null` for plain HTTP, which it then is for good. */
  secure: SecureSettings | null;
  readonly #server: ApiServer;
  readonly #sockets: ListenSockets;
  readonly #log: Logger;
  /** The socket of the process before, which accepts on it until this one does; `null` if there is none, or it was adopted. */
  #handed: number | null = null;
  #file: SocketFile | null = null;
  readonly #responses = new Set<ServerResponse>();
  /** Connections that wait for a further request; those that have not sent any yet are not among them. */
  readonly #idle = new Set<Socket>();
  readonly #unbound = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  /** Takes the certificate that is in force now for clients that name none. */
  readonly refreshCertificate: () => void = () => undefined;
  #retired = false;

  /**
   * Binds an address; an error says which and why. A port that is in use is refused unless it is shared, although
   * sockets of ours can be shared.
   */
  static async open(address: NetworkAddress, listener: BindingListener, settings: BindingSettings): Promise<Binding> {
    const options = await listenOptions(address);
    const binding = new Binding(address, listener, settings);
    try {
      if (binding.#takeOver()) return binding;
      if (options.port !== undefined && options.port !== 0 && !settings.shared) await probe(options);
      await binding.#listen(options);
    } catch (error) {
      throw addressError(`can't listen on ${binding.#asConfigured()}: ${messageOf(error)}`, error);
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
          `the expectation ${JSON.stringify(request.headers.expect)} can't be met: only 100-continue can`,
          'ERR_ADMIN_REQUEST',
        );
      }),
    );
    this.#server.once('close', () => {
      this.#server.close(); // Ends what the HTTP server keeps beside its socket.
      this.#closed.resolve();
    });
  }

  /** The port that is bound: the one the system chose where the address says 0; 0 for a unix socket. */
  get port(): number {
    const bound = this.#server.address();
    return typeof bound === 'object' && bound !== null ? (bound satisfies AddressInfo).port : 0;
  }

  /** The address as a client needs it: `localhost:2019`, `unix//run/admin.sock`. */
  get text(): string {
    if (isUnixNetwork(this.address.network)) return `${this.address.network}/${this.address.host}`;
    return joinHostPort(this.address.host, this.port);
  }

  /** Resolves when a retired binding does not listen any more. */
  get unbound(): Promise<void> {
    return this.#unbound.promise;
  }

  /** Resolves when the last connection of a retired binding is gone. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /**
   * Stops listening and ends idle connections; responses in flight are completed. Who has connected by now is still
   * served: the event loop goes round once more before the socket is closed, unless `now`.
   */
  retire(now = false): void {
    if (this.#retired) return;
    this.#retired = true;
    if (now) this.#unbind();
    else setImmediate(() => setImmediate(guarded(admin, () => this.#unbind())));
    for (const response of this.#responses) if (!response.headersSent) response.setHeader('Connection', 'close');
    for (const socket of this.#idle) socket.end();
  }

  /** Retires, waits at most `graceMs` for responses in flight, and ends what is left then. */
  async close(graceMs: number): Promise<void> {
    this.retire(true);
    await this.#unbound.promise;
    const end = (): void => this.#server.closeAllConnections();
    const timer = setTimeout(end, graceMs);
    if (this.#responses.size === 0) end();
    await this.#closed.promise;
    clearTimeout(timer);
  }

  /** Sets the permissions of a unix socket; those of a bound one change at once. */
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

  /** What is broken after a whole request, such as a body that was not announced, does not keep that one from its response. */
  #broken(error: Error, socket: Socket): void {
    const complete = [...this.#responses].find(({ req }) => req.socket === socket && req.complete);
    if (complete === undefined) refuseBrokenRequest(error, socket);
    else if (!complete.headersSent) complete.setHeader('Connection', 'close');
  }

  /** `close` of an HTTP server would also end connections whose first request is on its way. */
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

  /** Whether the process before has handed over a socket for the address. */
  #takeOver(): boolean {
    const [fd] = this.#sockets.take(this.#key);
    this.#handed = fd ?? null;
    return fd !== undefined;
  }

  /**
   * It is put in force: begins to listen on the socket of the process before, if there is one, and not earlier, as what this one
   * accepts is lost if its configuration does not come into force.
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

/** Fails if any process listens on the address, also with a socket that could be shared. */
async function probe(options: ListenOptions): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen({ ...options, exclusive: true }, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}
