/** In-process connections to a server, for configuration tests. They bypass the server's listeners. */
import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { EngineHost } from './engine-host.ts';
import type { SocketFacts } from './facts.ts';
import { serveSocket } from './serve.ts';
import type { ServerHandle } from './server-handle.ts';

const loopback = '127.0.0.1';

/** Connects to one server through a free port on the loopback interface. */
export class LoopbackConnections {
  readonly #host: EngineHost;
  #opening: Promise<Server> | null = null;
  /**
   * Properties of connections that are not accepted yet, keyed by client port. `#accepted` contains accepted connections that are still
   * waiting for their properties.
   */
  readonly #expected = new Map<number, SocketFacts>();
  readonly #accepted = new Map<number, Socket>();

  constructor(server: ServerHandle) {
    this.#host = new EngineHost(server);
  }

  /** Opens a connection with the given properties and returns the client socket. `facts.tls` simulates the result of a TLS handshake. */
  async connect(facts: SocketFacts): Promise<Socket> {
    const server = await (this.#opening ??= this.#open());
    const { port } = server.address() as AddressInfo;
    const client = createConnection({ host: loopback, port, noDelay: true });
    await once(client, 'connect');
    this.#pair(client.localPort ?? 0, facts);
    return client;
  }

  async close(): Promise<void> {
    this.#host.cut();
    for (const socket of this.#accepted.values()) socket.destroy();
    (await this.#opening)?.close();
  }

  async #open(): Promise<Server> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
    server.listen(0, loopback);
    await once(server, 'listening');
    return server;
  }

  /** Handles an accepted connection. A connection from another process stays open until everything is closed. */
  #accept(socket: Socket): void {
    const port = socket.remotePort ?? 0;
    const facts = this.#expected.get(port);
    socket.on('error', () => undefined);
    if (facts === undefined) this.#accepted.set(port, socket);
    else {
      this.#expected.delete(port);
      serveSocket(this.#host, socket, facts);
    }
  }

  #pair(port: number, facts: SocketFacts): void {
    const socket = this.#accepted.get(port);
    if (socket === undefined) this.#expected.set(port, facts);
    else {
      this.#accepted.delete(port);
      serveSocket(this.#host, socket, facts);
    }
  }
}
