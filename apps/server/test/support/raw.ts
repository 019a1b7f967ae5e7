/** Plain connections of tests: bytes out, bytes in. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Sends bytes, and gives what came until the connection ended, or `patience` after the last byte. */
export async function exchangeRaw(port: number, bytes: string | Buffer, patience = 150): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true);
  let received = '';
  const timer = setTimeout(() => socket.destroy(), Math.max(patience, 1000));
  socket.on('error', () => undefined);
  socket.on('data', (part: string) => {
    received += part;
    timer.refresh();
  });
  socket.setTimeout(patience, () => {
    if (received !== '') socket.destroy();
  });
  socket.write(bytes, 'latin1');
  await once(socket, 'close').catch(() => undefined);
  clearTimeout(timer);
  return received;
}

/** An upstream that speaks as its test says. */
export interface RawUpstream {
  /** `127.0.0.1:PORT`. */
  readonly dial: string;
  /** All that has come, one text for each connection. */
  readonly received: string[];
  close(): Promise<void>;
}

/** Starts an upstream; `speak` is called with each piece that comes and everything of its connection so far. */
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

/** A response of HTTP/1.1 with a length. */
export function response(body: string, head = 'HTTP/1.1 200 OK'): string {
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
