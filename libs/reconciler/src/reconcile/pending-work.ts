/** Work of modules that a build waits for, with a bound: what never settles must not block the changes after it. */
import { guarded, SluiceError, taskOf } from '@sluice/base';

/** How often the work is looked at within its bound. Looks are counted, so that a process that was stopped for a while blames no module. */
const looks = 4;

interface Entry {
  /** Returns why the work is given up; `null` for another span. */
  readonly late: () => SluiceError | null;
  readonly reject: (error: unknown) => void;
  seen: number;
}

/** The pending work of one build: one timer for all of it, as a configuration may have thousands of modules. */
export class PendingWork {
  /** In milliseconds. */
  readonly #bound: number;
  readonly #keepsProcess: boolean;
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;

  /** `keepsProcess`: whether the process goes on until the bound, so that a command reports what it waited for. Workers have their own end. */
  constructor(bound: number, keepsProcess: boolean) {
    this.#bound = bound;
    this.#keepsProcess = keepsProcess;
  }

  /**
   * Settles as `work` does, and rejects with the error of `late` if that takes longer than the bound. What the work settles with after that is
   * ignored.
   */
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

  /** The error of a module that does not settle in time. */
  lateError(phase: 'code' | 'provision' | 'start', moduleId: string): SluiceError {
    const what = phase === 'code' ? 'loading its code' : `its ${phase}`;
    const message = `the module ${moduleId} did not finish ${what} within ${this.#bound / 1000} s and is not waited for any longer; nothing was changed`;
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
