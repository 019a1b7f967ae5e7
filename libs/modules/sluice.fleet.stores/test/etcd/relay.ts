/** A relay in front of a node, whose connections can be cut. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Passes bytes on until it is told to cut. */
export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

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
        socket.pipe(other);
      }
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resets all connections; new ones are let through. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }
}
