/**
 * An upstream in its own process. Responds to requests, echoes data on upgraded connections, and sends events.
 *   node upstream.ts PORT KEEP_ALIVE_MILLISECONDS
 * `/events` is a stream of numbered events. All other paths respond with `ok` after the whole request body. Port 0 means any. Prints its
 * port to standard output when it listens, and exits when standard input ends.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Time between two events of a stream, in milliseconds. */
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
