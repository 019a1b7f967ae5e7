/** Runs tests of proposed configurations in separate threads, one at a time. */
import type { Logger, SluiceError } from '@sluice/base';
import type { ModuleSource } from '../modules/module-source.ts';
import {
  testBounds,
  type TestReport,
  type TestTask,
  type TestThread,
  type TestThreads,
} from '../test-cases/test-task.ts';
import { taskError, TaskThread, type TaskThreadOptions } from './task-thread.ts';
import type { TestMessage } from './test-message.ts';

/** Maximum time for the thread to load its code, in milliseconds. */
const startTime = 20_000;

/** Maximum number of queued test tasks. */
const maxWaiting = 8;

/** Test runners for servers whose modules all come from packages. */
export class TestRunners implements TestThreads {
  readonly deciding: TestRunner;
  readonly reporting: TestRunner;

  constructor(modules: readonly ModuleSource[], log: Logger) {
    this.deciding = new TestRunner(modules, log);
    this.reporting = new TestRunner(modules, log);
  }

  close(): void {
    this.deciding.close();
    this.reporting.close();
  }
}

class TestRunner implements TestThread {
  readonly #modules: readonly ModuleSource[];
  readonly #options: TaskThreadOptions;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #running: TaskThread<TestMessage, TestReport> | null = null;
  #closed: SluiceError | null = null;

  constructor(modules: readonly ModuleSource[], log: Logger) {
    this.#modules = modules;
    this.#options = { role: 'tests', maxMemory: 512, code: 'ERR_TESTS', log };
  }

  run(task: TestTask): Promise<TestReport> {
    if (this.#waiting > maxWaiting)
      return Promise.reject(taskError(this.#options, 'too many tests are waiting; retry later', 503));
    this.#waiting++;
    const done = this.#turn.then(() => this.#start(task)).finally(() => this.#waiting--);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Terminates running and queued tests. */
  close(): void {
    this.#closed = taskError(this.#options, 'the server is stopping', 503);
    this.#running?.fail('the server is stopping', 503);
  }

  async #start(task: TestTask): Promise<TestReport> {
    if (this.#closed !== null) throw this.#closed;
    const thread = new TaskThread<TestMessage, TestReport>({ task, modules: this.#modules }, this.#options);
    this.#running = thread;
    try {
      return await thread.result(testBounds.milliseconds + startTime);
    } finally {
      this.#running = null;
    }
  }
}
