/** Bounded log queue for a pino transport. Restarts the transport if it exits. */
import { SluiceError, messageOf, taskOf, unawaited, type JsonObject } from '@sluice/base';
import type { LogOutput } from '@sluice/contracts';
import { LineQueue, type SlowSink } from '../common/line-queue.ts';
import type { Trouble } from '../common/trouble.ts';
import { flushTimeout, TransportThread } from './transport-thread.ts';

export interface TransportOptions {
  /** Transport target as configured, for messages. */
  readonly target: string;
  /** Absolute path of the transport file. */
  readonly file: string;
  readonly options: JsonObject;
  /** Maximum size of the queue, in bytes. */
  readonly maxQueued: number;
  readonly trouble: Trouble;
  /** Counts lines that the transport did not receive. `null` disables counting. */
  readonly dropped: { add(lines: number): void } | null;
}

const task = taskOf('caddy.logging.writers.pino');

/** Initial and maximum restart delay, in milliseconds. */
const firstDelay = 250;
const maxDelay = 30_000;
/** Minimum run time after which a transport is considered healthy, in milliseconds. */
const longEnough = 60_000;

export class TransportOutput implements LogOutput, SlowSink {
  readonly #options: TransportOptions;
  readonly #queue: LineQueue;
  /** The current transport, or the one that is being started. Lines are queued until it is ready. */
  #thread: Promise<TransportThread>;
  #delay = firstDelay;
  readonly #closing = new AbortController();

  private constructor(options: TransportOptions, thread: TransportThread) {
    this.#options = options;
    const { target, trouble, maxQueued, dropped } = options;
    this.#thread = Promise.resolve(thread);
    this.#queue = new LineQueue(this, {
      trouble,
      name: `transport ${target}`,
      where: 'for a transport',
      fields: { target },
      maxQueued,
      onDropped: (lines) => dropped?.add(lines),
    });
    this.#watch(thread);
  }

  /** Starts the transport and opens the output. Fails if the transport cannot be started. */
  static async open(options: TransportOptions): Promise<TransportOutput> {
    const thread = await TransportThread.start(options.file, options.options);
    await thread.ready;
    return new TransportOutput(options, thread);
  }

  write(text: string, lines: number): void {
    this.#queue.push(text, lines);
  }

  writeBytes(bytes: Buffer, lines: number, release: () => void): void {
    this.#queue.pushBytes(bytes, lines, release);
  }

  /** Writes chunks and waits until the transport accepts more. Called by the line queue. */
  async writeAll(pieces: readonly Buffer[]): Promise<void> {
    await (await this.#thread).write(pieces);
  }

  /** Writes the queued lines within the transport's shutdown timeout. If no transport is running, drops the lines. */
  async close(): Promise<void> {
    this.#closing.abort();
    const thread = await this.#thread.catch(() => null);
    const end = async (): Promise<void> => thread?.close();
    const timer = setTimeout(() => unawaited(task, end()), flushTimeout);
    await this.#queue.drained();
    clearTimeout(timer);
    await end();
  }

  #watch(thread: TransportThread): void {
    const began = performance.now();
    const again = async (): Promise<void> => {
      const reason = await thread.gone;
      if (this.#closing.signal.aborted) return;
      if (performance.now() - began > longEnough) this.#delay = firstDelay;
      this.#reportProblem(reason);
      this.#thread = this.#restart();
      this.#thread.catch(() => undefined);
    };
    unawaited(task, again());
  }

  /** Restarts the transport and retries until it runs. Rejects if the output is closed in the meantime. */
  async #restart(): Promise<TransportThread> {
    for (;;) {
      await this.#pause();
      try {
        const thread = await TransportThread.start(this.#options.file, this.#options.options);
        await thread.ready;
        this.#options.trouble.log.info('log transport is running again', { target: this.#options.target });
        this.#watch(thread);
        return thread;
      } catch (error) {
        this.#reportProblem(error);
      }
    }
  }

  async #pause(): Promise<void> {
    const delay = this.#delay;
    this.#delay = Math.min(maxDelay, delay * 2);
    const { signal } = this.#closing;
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(new SluiceError('ERR_LOG_OUTPUT', 'transport is not running'));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, delay).unref();
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }

  #reportProblem(reason: unknown): void {
    const error = reason === null ? 'exited unexpectedly' : messageOf(reason);
    const { target, trouble } = this.#options;
    trouble.log.error('log transport stopped; restarting it', { target, error, in_ms: this.#delay });
  }
}
