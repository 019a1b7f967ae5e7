/**
 * Workers that are started early, so that they load their code while the control thread loads its own. This module imports little code, so
 * that the workers start as early as possible.
 */
import type { Worker } from 'node:worker_threads';
import { startWorkerThread } from '../installation.ts';

export interface RawWorker {
  readonly worker: Worker;
  failure(): unknown;
  /** Resolves to the worker's exit code. */
  readonly ended: Promise<number>;
}

/** Starts a worker. The worker loads its code and waits for the first message. */
function startWorker(): RawWorker {
  const worker = startWorkerThread('sluice traffic');
  let failure: unknown = null;
  worker.on('error', (error) => {
    failure = error;
  });
  const ended = new Promise<number>((resolve) => {
    worker.once('exit', resolve);
  });
  return { worker, failure: () => failure, ended };
}

/** Started workers that are not in use yet. */
export class WorkerReserve {
  readonly #workers: RawWorker[];

  /** Starts `size` workers. */
  constructor(size: number) {
    this.#workers = Array.from({ length: size }, startWorker);
  }

  /** Returns a worker from the reserve, or starts a new one if none is left. */
  take(): RawWorker {
    return this.#workers.shift() ?? startWorker();
  }

  /** Terminates unused workers. */
  async discard(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map(({ worker }) => worker.terminate()));
  }
}
