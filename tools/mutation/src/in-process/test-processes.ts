/** The pool of test processes for one package. Each process runs one job at a time. */
import { TestProcess } from './test-process.ts';

export class TestProcesses {
  readonly #root: string;
  readonly #folder: string;
  readonly #free: TestProcess[] = [];

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  /** Runs a job in an idle process, or in a new one if none is idle. */
  async use<T>(job: (process: TestProcess) => Promise<T>): Promise<T> {
    const process = this.#free.pop() ?? new TestProcess(this.#root, this.#folder);
    try {
      return await job(process);
    } finally {
      this.#free.push(process);
    }
  }

  end(): void {
    for (const process of this.#free) process.end();
  }
}
