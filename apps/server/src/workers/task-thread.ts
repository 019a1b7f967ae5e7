/** A thread that runs one task. It is terminated after the task, or when the task exceeds a limit. */
import type { Worker } from 'node:worker_threads';
import { guarded, messageOf, SluiceError, taskOf, type Logger } from '@sluice/base';
import { startWorkerThread } from '../installation.ts';
import type { TaskReply } from './task-reply.ts';

/** Role of the thread. It determines the code that the thread runs; see `worker.ts`. */
type ThreadRole = 'shadow' | 'tests';

export interface TaskThreadOptions {
  readonly role: ThreadRole;
  /** Maximum heap size of the thread, in MiB. */
  readonly maxMemory: number;
  /** Error code if the task fails. */
  readonly code: string;
  readonly log: Logger;
}

export class TaskThread<M, R> {
  readonly #options: TaskThreadOptions;
  readonly #worker: Worker;
  readonly #done = Promise.withResolvers<R>();

  /** Starts the thread, and sends it the first message. */
  constructor(first: M, options: TaskThreadOptions) {
    const { role, maxMemory } = options;
    const guard = taskOf(role);
    this.#options = options;
    this.#worker = startWorkerThread(`sluice ${role}`, {
      workerData: role,
      resourceLimits: { maxOldGenerationSizeMb: maxMemory, maxYoungGenerationSizeMb: 32 },
    });
    this.#worker.unref();
    this.#worker.on(
      'message',
      guarded(guard, (reply: TaskReply<R>) => this.#receive(reply)),
    );
    this.#worker.on(
      'error',
      guarded(guard, (error: Error & { readonly code?: string }) => this.#failed(error)),
    );
    this.#worker.on(
      'exit',
      guarded(guard, () => this.fail('the thread exited', 500)),
    );
    this.send(first);
  }

  send(message: M): void {
    this.#worker.postMessage(message, []);
  }

  /** Rejects the task with an error, unless it is complete. */
  fail(problem: string, status: number): void {
    this.#done.reject(taskError(this.#options, problem, status));
  }

  /** Resolves to the report and terminates the thread. Rejects after `time` milliseconds. */
  async result(time: number): Promise<R> {
    const late = (): void => this.fail(`not complete after ${time / 1000} s`, 504);
    const timer = setTimeout(guarded(taskOf(this.#options.role), late), time).unref();
    try {
      return await this.#done.promise;
    } finally {
      clearTimeout(timer);
      await this.#worker.terminate();
    }
  }

  #receive(reply: TaskReply<R>): void {
    if ('report' in reply) this.#done.resolve(reply.report);
    else this.#done.reject(new SluiceError(reply.error.code, reply.error.message, { status: reply.error.status }));
  }

  #failed(error: Error & { readonly code?: string }): void {
    const { role, maxMemory, log } = this.#options;
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const problem = isMemory ? `exceeded the limit of ${maxMemory} MiB of memory` : messageOf(error);
    log.warn(`${role} failed`, { error: problem });
    this.fail(problem, 500);
  }
}

export function taskError(
  { role, code }: Pick<TaskThreadOptions, 'role' | 'code'>,
  problem: string,
  status: number,
): SluiceError {
  return new SluiceError(code, `${role}: ${problem}`, { status });
}
