/** Starts traffic threads as Node workers. */
import { Worker } from 'node:worker_threads';
import { Channel, messageOf, type Logger, type SpawnedThread } from '@sluice/registry';
import { portOf } from './port.ts';
import type { WorkerData } from './worker-data.ts';

/** The worker's code: beside this file's folder, as TypeScript in the sources and as JavaScript when built. */
const code = new URL(import.meta.url.endsWith('.ts') ? '../worker.ts' : '../worker.js', import.meta.url);

/** Starts one worker. */
export function spawnWorker(data: WorkerData, log: Logger): SpawnedThread {
  const worker = new Worker(code, { workerData: data, name: `sluice ${data.thread}` });
  let failure: string | null = null;
  worker.on('error', (error) => {
    failure = `it failed: ${messageOf(error)}`;
    log.error('a worker failed', { worker: data.thread, error, stack: error instanceof Error ? error.stack : undefined });
  });
  const gone = new Promise<string>((resolve) => {
    worker.once('exit', (code) => resolve(failure ?? `it ended with code ${code}`));
  });
  return {
    channel: new Channel(portOf(worker), log),
    gone,
    terminate: async () => {
      await worker.terminate();
    },
  };
}
