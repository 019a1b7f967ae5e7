/**
 * Node workers that start early, so that they load their code while the control thread loads its own code. For the same reason, this module
 * imports little.
 */
import type { Worker } from 'node:worker_threads';
import { startWorkerThread } from '../installation.ts';

export interface RawWorker {
  readonly worker: Worker;
  failure(): unknown;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
}

/** Starts a worker, which loads its code and waits for the first message. */
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

/** Workers that have been started but not used yet. */
export class WorkerReserve {
  readonly #workers: RawWorker[];

  /** Starts `size` workers. */
  constructor(size: number) {
    this.#workers = Array.from({ length: size }, startWorker);
  }

  /** Returns a reserved worker, or a new worker if none is left. */
  take(): RawWorker {
    return this.#workers.shift() ?? startWorker();
  }

  /** Terminates unused workers. */
  async discard(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map(({ worker }) => worker.terminate()));
  }
}
