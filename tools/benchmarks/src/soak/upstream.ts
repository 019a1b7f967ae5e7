/**
 * An upstream that runs in a separate process. It responds to requests, echoes data on upgraded connections, and sends events.
 *   node upstream.ts PORT KEEP_ALIVE_MILLISECONDS
 * `/events` is a stream of numbered events. Every other path responds with `ok` after the whole request body has been read. Port 0 selects
 * any free port. The process prints the port to standard output once it listens, and exits at the end of standard input.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Interval between events of a stream, in milliseconds. */
const eventInterval = 500;

const [port = '0', keepAlive = '60000'] = process.argv.slice(2);

const server = createServer({ keepAliveTimeout: Number(keepAlive), keepAliveTimeoutBuffer: 0 }, (request, response) => {
  if (request.url?.endsWith('/events') === true) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    let number = 0;
    const send = (): void => void response.write(`data: ${number++}\n\n`);
    send();
    const timer = setInterval(send, eventInterval);
    response.on('close', () => clearInterval(timer));
    return;
  }
  request.resume().on('end', () => response.end('ok'));
});
server.requestTimeout = 0;
server.on('upgrade', (_request, socket, head) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  socket.write(head);
  socket.on('error', () => socket.destroy());
  socket.pipe(socket);
});
server.listen(Number(port), '127.0.0.1', () => console.log(`${(server.address() as AddressInfo).port}`));
process.stdin.resume().on('end', () => process.exit(0));
