/**
 * Adapts client configurations in a thread with limited memory and time. The first task starts the thread. The thread exits after an idle
 * period, when a task exceeds a limit, or when the client disconnects.
 */
import type { Worker } from 'node:worker_threads';
import { guarded, messageOf, SluiceError, taskOf, type Logger } from '@sluice/base';
import type { AdaptingResult, AdaptingTask, AdaptingThread } from '@sluice/reconciler';
import { startWorkerThread } from '../installation.ts';
import type { ModuleSource } from '../modules/module-source.ts';
import type { AdaptingMessage, AdaptingReply } from './adapting-message.ts';

/** Limits for each adapter task and for the queue. */
export interface AdaptingBounds {
  /** Time limit of a task in milliseconds. Default: 15 s. */
  readonly time?: number;
  /** Maximum heap size of the thread, in MiB. Default: 512. */
  readonly memory?: number;
  /** Maximum number of queued adapter tasks. Default: 16. */
  readonly waiting?: number;
  /** Idle timeout of the thread, in milliseconds. Default: 30 s. */
  readonly idle?: number;
}

const defaultBounds: Required<AdaptingBounds> = { time: 15_000, memory: 512, waiting: 16, idle: 30_000 };

/** Maximum time for the adapter thread to load its code, in milliseconds. */
const startTimeout = 60_000;

/** A queued or running adapter task, with its promise. */
interface Job {
  readonly task: AdaptingTask;
  readonly signal: AbortSignal;
  readonly resolve: (result: AdaptingResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Adapter service for servers whose modules all come from packages. */
export class AdaptingPool implements AdaptingThread {
  readonly #modules: readonly ModuleSource[];
  readonly #bounds: Required<AdaptingBounds>;
  readonly #log: Logger;
  readonly #waiting: Job[] = [];
  #worker: Worker | null = null;
  /** True once the thread has loaded its code. */
  #ready = false;
  #running: Job | null = null;
  #timer: NodeJS.Timeout | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(modules: readonly ModuleSource[], log: Logger, bounds: AdaptingBounds = {}) {
    this.#modules = modules;
    this.#log = log;
    this.#bounds = { ...defaultBounds, ...bounds };
  }

  run(task: AdaptingTask, signal: AbortSignal): Promise<AdaptingResult> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (this.#waiting.length >= this.#bounds.waiting) {
      const message = `${this.#waiting.length} configurations are waiting to be adapted; retry later`;
      return Promise.reject(new SluiceError('ERR_ADAPTER_BUSY', message, { status: 503 }));
    }
    return new Promise((resolve, reject) => {
      const job: Job = { task, signal, resolve, reject };
      signal.addEventListener(
        'abort',
        guarded(taskOf('adapting'), () => this.#abandon(job)),
        { once: true },
      );
      this.#waiting.push(job);
      this.#next();
    });
  }

  /** Terminates the thread. Running and queued tasks are rejected. */
  async close(): Promise<void> {
    const error = new SluiceError('ERR_ADAPTER_BUSY', 'the server is stopping', { status: 503 });
    for (const job of this.#waiting.splice(0)) job.reject(error);
    this.#running?.reject(error);
    await this.#end();
  }

  #next(): void {
    if (this.#running !== null) return;
    const job = this.#waiting.shift();
    if (job === undefined) {
      this.#idle ??= setTimeout(
        guarded(taskOf('adapting'), () => void this.#end()),
        this.#bounds.idle,
      ).unref();
      return;
    }
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    this.#running = job;
    this.#worker ??= this.#start();
    this.#setTimer();
    this.#worker.postMessage({ task: job.task, modules: this.#modules } satisfies AdaptingMessage, []);
  }

  /** Starts the timer for a task's time limit. Called once the thread has loaded its code. */
  #setTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const time = this.#ready ? this.#bounds.time : startTimeout;
    const late = (): void => this.#fail(`timed out after ${time / 1000} s`);
    this.#timer = setTimeout(guarded(taskOf('adapting'), late), time).unref();
  }

  #start(): Worker {
    this.#ready = false;
    const worker = startWorkerThread('sluice adapting', {
      workerData: 'adapting',
      resourceLimits: { maxOldGenerationSizeMb: this.#bounds.memory, maxYoungGenerationSizeMb: 32 },
    });
    worker.unref();
    worker.on(
      'message',
      guarded(taskOf('adapting'), (reply: AdaptingReply) => {
        if (worker !== this.#worker) return;
        if (reply !== 'ready') this.#settle(reply);
        else {
          this.#ready = true;
          this.#setTimer();
        }
      }),
    );
    worker.on(
      'error',
      guarded(taskOf('adapting'), (error: Error & { readonly code?: string }) => {
        if (worker !== this.#worker) return;
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        this.#fail(isMemory ? `exceeded the memory limit of ${this.#bounds.memory} MiB` : messageOf(error));
      }),
    );
    worker.on(
      'exit',
      guarded(taskOf('adapting'), () => {
        if (worker === this.#worker) this.#fail('the adapter thread exited');
      }),
    );
    return worker;
  }

  #settle(reply: Exclude<AdaptingReply, 'ready'>): void {
    const job = this.#take();
    if (job === null) return;
    if ('error' in reply) {
      const { code, status, message } = reply.error;
      job.reject(new SluiceError(code, message, { status }));
    } else job.resolve(reply.result);
    this.#next();
  }

  /** Terminates a thread that can no longer be used, and rejects its task. */
  #fail(reason: string): void {
    const job = this.#take();
    void this.#end();
    if (job !== null) {
      const { kind, format, body } = job.task;
      this.#log.warn('configuration adaptation was aborted', { format, bytes: body.byteLength, reason });
      const what = kind === 'adapt' ? 'adapting the configuration with' : 'converting the configuration to';
      job.reject(new SluiceError('ERR_ADAPTER', `${what} ${format}: ${reason}`, { status: 413 }));
    }
    this.#next();
  }

  /** Cancels an adapter task whose client has disconnected. */
  #abandon(job: Job): void {
    job.reject(job.signal.reason);
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (this.#running !== job) return;
    this.#take();
    void this.#end();
    this.#next();
  }

  #take(): Job | null {
    const job = this.#running;
    this.#running = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return job;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    await worker?.terminate();
  }
}
