/** An upstream that responds with `ok`, and echoes request bodies and WebSocket text messages (RFC 6455). */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Starts the upstream. The test must close it. */
export async function startEchoUpstream(): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  // The Java client requests h2c with Upgrade. The proxy forwards that header, as Caddy does.
  const options = { shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade === 'websocket' };
  const server: Server = createServer(options, (request, response) => {
    if (request.method === 'POST') request.pipe(response);
    else response.end('ok');
  });
  server.on('upgrade', (request, stream) => {
    const socket = stream as Socket;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${guid}`).digest('base64');
    const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
    socket.write(head);
    echo(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Echoes short frames unmasked: text frames, pings, and a close frame before the connection ends. */
function echo(socket: Socket): void {
  let buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const length = (buffer[1] ?? 0) & 0x7f;
      if (buffer.length < 6 || buffer.length < 6 + length) return;
      const opcode = (buffer[0] ?? 0) & 0x0f;
      const mask = buffer.subarray(2, 6);
      const payload = Buffer.from(buffer.subarray(6, 6 + length).map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
      buffer = buffer.subarray(6 + length);
      socket.write(Buffer.concat([Buffer.from([0x80 | (opcode === 9 ? 10 : opcode), length]), payload]));
      if (opcode === 8) socket.end();
    }
  });
}
