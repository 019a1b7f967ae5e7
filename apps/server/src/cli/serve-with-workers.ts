/** Serves requests in this process. Loads the server code while the workers load theirs. */
import { availableParallelism } from 'node:os';
import { WorkerReserve } from '../workers/worker-reserve.ts';
import type { ServeOptions } from '../run-options.ts';

/** Serves requests until a shutdown is requested. Resolves to the exit code. */
export async function serveWithWorkers(options: ServeOptions): Promise<number> {
  const workers = options.workers ?? availableParallelism();
  // Only Linux can reliably share a port among several workers.
  const reserve = new WorkerReserve(process.platform === 'linux' ? workers : Math.min(workers, 1));
  try {
    const { serve } = await import('../serve.ts');
    return await serve({ ...options, workers }, reserve);
  } finally {
    await reserve.discard();
  }
}
