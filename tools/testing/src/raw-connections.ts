/** Raw TCP clients and echo upstreams for connection tests. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** An upstream that sends its name first and then echoes received data. */
export interface EchoUpstream {
  readonly port: number;
  readonly sockets: Set<Socket>;
  close(): Promise<void>;
}

/** Starts an echo upstream on a free loopback port. */
export async function startEchoUpstream(name: string): Promise<EchoUpstream> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    if (name !== '') socket.write(`${name}:`);
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export class RawClient {
  readonly socket: Socket;
  received = '';
  readonly closed: Promise<unknown>;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.on('data', (piece: Buffer) => (this.received += piece.toString('latin1')));
    this.socket.on('error', () => undefined);
    this.socket.once('end', () => this.socket.end());
    this.closed = once(this.socket, 'close');
  }

  send(text: string): this {
    this.socket.write(Buffer.from(text, 'latin1'));
    return this;
  }

  /** Waits until the received data contains the given text. */
  async until(text: string): Promise<void> {
    while (!this.received.includes(text)) {
      if (this.socket.destroyed) throw new Error(`closed after ${JSON.stringify(this.received)}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** Closes the sending side. Returns the data received until the server closes the connection. */
  async rest(): Promise<string> {
    this.socket.end();
    await this.closed;
    return this.received;
  }
}
