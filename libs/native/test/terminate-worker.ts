/**
 * Terminates workers whose sockets are ready to read, and exits with code 0. `argv[2]` is the state of the workers: `blocked` in an endless
 * loop, `idle`, or `failed` with an exception.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { UdpSocket } from '@sluice/native';

const owner = {
  fault: (error: unknown): void => {
    throw error;
  },
};

/** Binds a socket, and then blocks the thread or throws, as requested, when the first datagram arrives. */
function serve(state: string): void {
  const socket = UdpSocket.bind({ host: '127.0.0.1', port: 0, isIPv6: false, only: false, reusePort: false }, owner);
  if (socket === null) throw new Error('the socket could not be bound');
  const onDatagram = (): void => {
    if (state === 'failed') throw new Error('expected');
    while (state === 'blocked');
  };
  socket.taker = { ...owner, onDatagram, onBatch: () => undefined };
  socket.reading = true;
  parentPort?.on('message', () => undefined);
  parentPort?.postMessage(socket.port, []);
}

async function terminate(state: string): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: state });
  worker.on('error', () => undefined);
  const ended = once(worker, 'exit');
  const [port] = (await once(worker, 'message')) as [number];
  const client = createSocket('udp4');
  const flood = setInterval(() => {
    for (let i = 0; i < 10; i++) client.send('datagram', port, '127.0.0.1');
  }, 1);
  await sleep(100);
  await worker.terminate();
  await ended;
  clearInterval(flood);
  client.close();
}

if (isMainThread) for (let i = 0; i < 3; i++) await terminate(process.argv[2] ?? '');
else serve(workerData as string);
