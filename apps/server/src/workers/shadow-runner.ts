/** Starts a thread for each shadow, and ends it afterwards or when it exceeds a limit. */
import type { Worker } from 'node:worker_threads';
import { guarded, messageOf, SluiceError, taskOf, type Logger } from '@sluice/base';
import type { LiveRequest, ShadowReport, ShadowTask, ShadowThread } from '@sluice/http-analysis';
import { startWorkerThread } from '../installation.ts';
import type { ModuleSource } from '../modules/module-source.ts';
import type { ShadowMessage, ShadowReply } from './shadow-message.ts';

/** Heap size of the thread, in MiB. */
const maxMemory = 768;

/** Maximum time for loading code and provisioning both configurations, and for the last responses, in milliseconds. */
const extraTime = 60_000;

const guard = taskOf('shadow');

/** Service for a server whose modules all come from packages. */
export class ShadowRunner implements ShadowThread {
  readonly #modules: readonly ModuleSource[];
  readonly #log: Logger;
  #running: ((error: SluiceError) => void) | null = null;

  constructor(modules: readonly ModuleSource[], log: Logger) {
    this.#modules = modules;
    this.#log = log;
  }

  async run(task: ShadowTask, listen: Parameters<ShadowThread['run']>[1]): Promise<ShadowReport> {
    if (this.#running !== null) throw shadowError('another shadow is running; retry later', 503);
    const { promise, resolve, reject } = Promise.withResolvers<ShadowReport>();
    this.#running = reject;
    const worker = this.#start(task, resolve, reject);
    const send = (live: LiveRequest): void => worker.postMessage({ live } satisfies ShadowMessage, []);
    const unlisten = listen(send);
    const time = task.options.seconds * 1000 + extraTime;
    const late = (): void => reject(shadowError(`not complete after ${time / 1000} s`, 504));
    const timer = setTimeout(guarded(guard, late), time).unref();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      unlisten();
      await worker.terminate();
      this.#running = null;
    }
  }

  /** Ends the shadow that is running. */
  close(): void {
    this.#running?.(shadowError('the server is stopping', 503));
  }

  #start(task: ShadowTask, resolve: (report: ShadowReport) => void, reject: (error: Error) => void): Worker {
    const worker = startWorkerThread('sluice shadow', {
      workerData: 'shadow',
      resourceLimits: { maxOldGenerationSizeMb: maxMemory, maxYoungGenerationSizeMb: 32 },
    });
    worker.unref();
    worker.on(
      'message',
      guarded(guard, (reply: ShadowReply) => {
        if ('report' in reply) resolve(reply.report);
        else reject(new SluiceError(reply.error.code, reply.error.message, { status: reply.error.status }));
      }),
    );
    worker.on(
      'error',
      guarded(guard, (error: Error & { readonly code?: string }) => {
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        const problem = isMemory ? `exceeded the limit of ${maxMemory} MiB of memory` : messageOf(error);
        this.#log.warn('shadow failed', { error: problem });
        reject(shadowError(problem, 500));
      }),
    );
    worker.on(
      'exit',
      guarded(guard, () => reject(shadowError('the shadow thread exited', 500))),
    );
    worker.postMessage({ task, modules: this.#modules } satisfies ShadowMessage, []);
    return worker;
  }
}

function shadowError(problem: string, status: number): SluiceError {
  return new SluiceError('ERR_SHADOW', `shadow: ${problem}`, { status });
}
