/** Creates traffic threads as Node.js workers. */
import { MessageChannel } from 'node:worker_threads';
import { Channel, type SpawnedThread } from '@sluice/threads';
import { messageOf, type Logger } from '@sluice/base';
import { portOf } from './port.ts';
import type { FirstMessage, WorkerData } from './worker-data.ts';
import type { RawWorker } from './worker-reserve.ts';

/** Sends the initial data to a worker. Returns the running worker thread. */
export function spawnWorker({ worker, failure, ended }: RawWorker, data: WorkerData, log: Logger): SpawnedThread {
  const { port1, port2 } = new MessageChannel();
  const port = portOf(port1);
  worker.postMessage({ data, port: port2 } satisfies FirstMessage, [port2]);
  const gone = ended.then((code) => {
    port.close();
    const error = failure();
    if (error === null) return `exited with code ${code}`;
    log.error('worker failed', { worker: data.thread, error, stack: error instanceof Error ? error.stack : null });
    return `failed: ${messageOf(error)}`;
  });
  return {
    channel: new Channel(port, log),
    gone,
    terminate: async () => {
      await worker.terminate();
    },
  };
}
