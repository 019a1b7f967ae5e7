/** The processes of one package, each used by one job at a time. */
import { TestProcess } from './test-process.ts';

export class TestProcesses {
  readonly #root: string;
  readonly #folder: string;
  readonly #free: TestProcess[] = [];

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  /** Runs a job with a free process, or with a new one. */
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
