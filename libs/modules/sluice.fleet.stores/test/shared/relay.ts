/** A relay in front of a server, whose connections can be cut, also after a number of bytes that the server has sent. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Passes bytes on until it is told to cut. */
export class Relay {
  /** How often connections were cut. */
  cuts = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #left = Number.POSITIVE_INFINITY;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(target: number): Promise<Relay> {
    const server = createServer();
    const relay = new Relay(server);
    server.on('connection', (incoming) => {
      const outgoing = connect(target, '127.0.0.1');
      for (const [socket, other] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        relay.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          relay.#sockets.delete(socket);
          other.destroy();
        });
      }
      incoming.pipe(outgoing);
      outgoing.on('data', (bytes: Buffer) => relay.#pass(bytes, incoming));
      outgoing.on('end', () => incoming.end());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts once so many bytes have come from the server, also within what it sends at once; `null` for never. */
  cutAfter(bytes: number | null): void {
    this.#left = bytes ?? Number.POSITIVE_INFINITY;
  }

  /** Resets all connections; new ones are let through. */
  cut(): void {
    if (this.#sockets.size > 0) this.cuts++;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  #pass(bytes: Buffer, client: Socket): void {
    if (bytes.length <= this.#left) {
      this.#left -= bytes.length;
      client.write(bytes);
      return;
    }
    // What is before the place arrives, what is after it does not.
    const before = bytes.subarray(0, this.#left);
    this.#left = Number.POSITIVE_INFINITY;
    client.write(before, () => this.cut());
  }
}
