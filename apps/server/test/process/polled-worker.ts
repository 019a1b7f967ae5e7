/** A worker that accepts connections without Node, and reports its port, its epoll set, and each connection. */
import { createServer, type AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { PolledListener } from '@sluice/native';

const server = createServer().listen(0, '127.0.0.1', () => {
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  const listener = new PolledListener(fd, () => parentPort!.postMessage('accepted', []));
  // Waits, because libuv keeps accepting connections until the next event loop turns.
  setTimeout(() => {
    parentPort!.postMessage({ port: (server.address() as AddressInfo).port, sets: listener.sets }, []);
  }, 50);
});
