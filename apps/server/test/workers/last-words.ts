/** A worker that sends messages and exits immediately. */
import { parentPort } from 'node:worker_threads';
import type { FirstMessage } from '../../src/workers/worker-data.ts';

parentPort!.once('message', ({ port }: FirstMessage) => {
  for (let i = 0; i < 2000; i++) port.postMessage({ kind: 'message', topic: 'test', body: i });
  process.exit(0);
});
