/** Serves in this process. Loads the server itself only once its workers load their code as well. */
import { availableParallelism } from 'node:os';
import { WorkerReserve } from '../workers/worker-reserve.ts';
import type { ServeOptions } from '../run-options.ts';

/** Serves until it is asked to end; resolves with the exit code. */
export async function serveWithWorkers(options: ServeOptions): Promise<number> {
  const workers = options.workers ?? availableParallelism();
  // Only Linux is known to share a port between several of them.
  const reserve = new WorkerReserve(process.platform === 'linux' ? workers : Math.min(workers, 1));
  try {
    const { serve } = await import('../serve.ts');
    return await serve({ ...options, workers }, reserve);
  } finally {
    await reserve.discard();
  }
}
