/** Runs shadow comparisons in separate threads, one at a time. */
import type { Logger } from '@sluice/base';
import type { LiveRequest, ShadowReport, ShadowTask, ShadowThread } from '@sluice/http-analysis';
import type { ModuleSource } from '../modules/module-source.ts';
import type { ShadowMessage } from './shadow-message.ts';
import { taskError, TaskThread, type TaskThreadOptions } from './task-thread.ts';

/**
 * Maximum additional time of a shadow comparison, in milliseconds. It covers loading code, provisioning both configurations, and the last
 * responses.
 */
const extraTime = 60_000;

/** Shadow service for servers whose modules all come from packages. */
export class ShadowRunner implements ShadowThread {
  readonly #modules: readonly ModuleSource[];
  readonly #options: TaskThreadOptions;
  #running: TaskThread<ShadowMessage, ShadowReport> | null = null;

  constructor(modules: readonly ModuleSource[], log: Logger) {
    this.#modules = modules;
    this.#options = { role: 'shadow', maxMemory: 768, code: 'ERR_SHADOW', log };
  }

  async run(task: ShadowTask, listen: Parameters<ShadowThread['run']>[1]): Promise<ShadowReport> {
    if (this.#running !== null) throw taskError(this.#options, 'another shadow replay is running; retry later', 503);
    const thread = new TaskThread<ShadowMessage, ShadowReport>({ task, modules: this.#modules }, this.#options);
    this.#running = thread;
    const unlisten = listen((live: LiveRequest) => thread.send({ live }));
    try {
      return await thread.result(task.options.seconds * 1000 + extraTime);
    } finally {
      unlisten();
      this.#running = null;
    }
  }

  /** Terminates the shadow comparison in progress. */
  close(): void {
    this.#running?.fail('the server is stopping', 503);
  }
}
