/** Asynchronous module work with a timeout. Work that never settles must not block later changes. */
import { guarded, SluiceError, taskOf } from '@sluice/base';

/**
 * Number of checks per timeout. Checks are counted instead of elapsed time, so that resuming a suspended process does
 * not cause timeouts.
 */
const looks = 4;

interface Entry {
  /** Returns the timeout error; `null` extends the timeout. */
  readonly late: () => SluiceError | null;
  readonly reject: (error: unknown) => void;
  seen: number;
}

/** The pending work of one build. All tasks share one timer, because a configuration can have thousands of modules. */
export class PendingWork {
  /** Timeout in milliseconds. */
  readonly #bound: number;
  readonly #keepsProcess: boolean;
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;

  /** `keepsProcess`: keep the process alive until the timeout, so that a command can report it. Not needed in workers. */
  constructor(bound: number, keepsProcess: boolean) {
    this.#bound = bound;
    this.#keepsProcess = keepsProcess;
  }

  /** Settles like `work`, or rejects with the error of `late` after the timeout. A later result is ignored. */
  within<T>(work: PromiseLike<T>, late: () => SluiceError | null): Promise<T> {
    return new Promise((resolve, reject) => {
      const entry = { late, reject, seen: 0 };
      work.then(
        (value) => {
          this.#remove(entry);
          resolve(value);
        },
        (error: unknown) => {
          this.#remove(entry);
          reject(error);
        },
      );
      this.#entries.add(entry);
      this.#timer ??= this.#start();
    });
  }

  /** Creates the error for a module that does not settle in time. */
  lateError(phase: 'code' | 'provision' | 'start', moduleId: string): SluiceError {
    const what = phase === 'code' ? 'loading its code' : `its ${phase}`;
    const message = `module ${moduleId} did not finish ${what} within ${this.#bound / 1000} s; nothing was changed; check what the module waits for`;
    return new SluiceError('ERR_PROVISION_TIMEOUT', message);
  }

  #start(): NodeJS.Timeout {
    const timer = setInterval(
      guarded(taskOf('reconciler'), () => this.#look()),
      this.#bound / looks,
    );
    return this.#keepsProcess ? timer : timer.unref();
  }

  #look(): void {
    for (const entry of this.#entries) {
      if (++entry.seen <= looks) continue;
      entry.seen = 1;
      const error = entry.late();
      if (error === null) continue;
      this.#remove(entry);
      entry.reject(error);
    }
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry);
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
