/** Asynchronous work of modules, with a timeout. Work that never completes must not block later changes. */
import { guarded, SluiceError, taskOf } from '@sluice/base';

/** Number of checks per timeout. Counting checks instead of elapsed time prevents spurious timeouts after a suspended process resumes. */
const looks = 4;

interface Entry {
  /** Returns the timeout error. Returning `null` extends the timeout. */
  readonly late: () => SluiceError | null;
  readonly reject: (error: unknown) => void;
  seen: number;
}

/** The pending work of one build. All tasks share one timer, because a configuration may have thousands of modules. */
export class PendingWork {
  /** Timeout in milliseconds. */
  readonly #bound: number;
  readonly #keepsProcess: boolean;
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;

  /** If `keepsProcess` is true, keeps the process alive until the timeout, so that a command can report it. Workers don't need this. */
  constructor(bound: number, keepsProcess: boolean) {
    this.#bound = bound;
    this.#keepsProcess = keepsProcess;
  }

  /** Settles like `work`. After the timeout, rejects with the error from `late` and ignores a later result. */
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

  /** Creates the error for a module that doesn't complete in time. */
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
