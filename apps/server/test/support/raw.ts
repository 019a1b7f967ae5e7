/** Raw TCP clients and upstreams for tests. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Sends bytes. Returns the received data when the connection ends, or `timeout` milliseconds after the last received byte. */
export async function exchangeRaw(port: number, bytes: string | Buffer, timeout = 150): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true);
  let received = '';
  const timer = setTimeout(() => socket.destroy(), Math.max(timeout, 1000));
  socket.on('error', () => undefined);
  socket.on('data', (part: string) => {
    received += part;
    timer.refresh();
  });
  socket.setTimeout(timeout, () => {
    if (received !== '') socket.destroy();
  });
  socket.write(bytes, 'latin1');
  await once(socket, 'close').catch(() => undefined);
  clearTimeout(timer);
  return received;
}

/** An upstream whose protocol is implemented by the test. */
export interface RawUpstream {
  /** `127.0.0.1:PORT`. */
  readonly dial: string;
  /** Received data, as one string per connection. */
  readonly received: string[];
  close(): Promise<void>;
}

/** Starts an upstream. `speak` is called whenever data arrives, with all data received on the connection so far. */
export async function rawUpstream(
  speak: (socket: Socket, all: string, connection: number) => void,
  onConnection: (socket: Socket) => void = () => {},
): Promise<RawUpstream> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = received.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      received[index] += chunk.toString('latin1');
      speak(socket, received[index] ?? '', index);
    });
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    dial: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns an HTTP/1.1 response with a Content-Length. */
export function response(body: string, head = 'HTTP/1.1 200 OK'): string {
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
