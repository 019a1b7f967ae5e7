/**
 * Node workers that were started before anything is known of what they will do, so that they load their code while the
 * control thread loads its own. Imports nothing heavy for that reason.
 */
import type { Worker } from 'node:worker_threads';
import { startWorkerThread } from '../installation.ts';

/** A worker, watched from its first moment on. */
export interface RawWorker {
  readonly worker: Worker;
  /** What it failed with, or `null`. */
  failure(): unknown;
  /** Resolves with its exit code when it has ended. */
  readonly ended: Promise<number>;
}

/** Starts a worker; it loads its code and then waits for its first message. */
export function startWorker(): RawWorker {
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

/** Workers in reserve. */
export class WorkerReserve {
  readonly #workers: RawWorker[];

  /** Starts as many as will be needed. */
  constructor(size: number) {
    this.#workers = Array.from({ length: size }, startWorker);
  }

  /** One of the reserve, or a new one when it is used up. */
  take(): RawWorker {
    return this.#workers.shift() ?? startWorker();
  }

  /** Ends those that were not taken. */
  async discard(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map(({ worker }) => worker.terminate()));
  }
}
