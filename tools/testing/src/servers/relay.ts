/**
 * A TCP relay in front of a server. It can abort connections (even within a response), refuse them, delay them, and redirect them to
 * another server.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { freePort } from '../machine.ts';

/** Forwards bytes unless the test injects a fault. */
export class Relay {
  readonly port: number;
  /** Port to which the relay forwards new connections. */
  target: number;
  /** If true, the relay resets new connections. */
  refuses = false;
  /** Number of connections that the relay has aborted. */
  cuts = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #left = Number.POSITIVE_INFINITY;
  #held = false;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.target = target;
  }

  static async start(target: number): Promise<Relay> {
    const server = createServer();
    await once(server.listen(await freePort(), '127.0.0.1'), 'listening');
    const relay = new Relay(server, target);
    server.on('connection', (incoming) => relay.#connect(incoming));
    return relay;
  }

  /** Aborts connections after the server has sent the given number of bytes, even within a write. `null` disables this. */
  cutAfter(bytes: number | null): void {
    this.#left = bytes ?? Number.POSITIVE_INFINITY;
  }

  /** Resets all existing connections but accepts new ones. */
  cut(): void {
    if (this.#sockets.size > 0) this.cuts++;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Stops forwarding data until {@link release}, without closing connections. */
  hold(): void {
    this.#held = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Forwards the delayed data and resumes forwarding. */
  release(): void {
    this.#held = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async stop(): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  #connect(incoming: Socket): void {
    if (this.refuses) {
      incoming.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const outgoing = connect(this.target, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('end', () => other.end());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    incoming.on('data', (bytes: Buffer) => outgoing.write(bytes));
    outgoing.on('data', (bytes: Buffer) => this.#pass(bytes, incoming));
    if (this.#held) for (const socket of [incoming, outgoing]) socket.pause();
  }

  #pass(bytes: Buffer, client: Socket): void {
    if (bytes.length <= this.#left) {
      this.#left -= bytes.length;
      client.write(bytes);
      return;
    }
    // Forwards the bytes before the limit and discards the bytes after it.
    const before = bytes.subarray(0, this.#left);
    this.#left = Number.POSITIVE_INFINITY;
    client.write(before, () => this.cut());
  }
}
