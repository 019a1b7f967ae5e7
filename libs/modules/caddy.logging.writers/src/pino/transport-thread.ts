/** One run of a transport: its thread, from its start to its end. */
import type { Worker } from 'node:worker_threads';
import { SluiceError, guarded, messageOf, taskOf, unawaited, type JsonObject } from '@sluice/base';

/** What is used of the stream that pino makes of a transport. */
interface TransportStream {
  readonly worker: Worker;
  write(data: string | Buffer): boolean;
  flush(done: (error?: Error | null) => void): void;
  end(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'ready' | 'close', listener: () => void): unknown;
  emit(event: 'message', message: unknown): unknown;
}

/** How long a transport may take to write the last lines when it is closed, in milliseconds. */
export const farewell: number = 5000;

const task = taskOf('caddy.logging.writers.pino');

/** What pino tells its transports of the lines that it makes; some wait for it. */
const pinoConfig = {
  code: 'PINO_CONFIG',
  config: {
    messageKey: 'msg',
    errorKey: 'error',
    levels: {
      labels: { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' },
      values: { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 },
    },
  },
};

/** A transport that runs. */
export class TransportThread {
  readonly #stream: TransportStream;
  /** Resolves when it has begun, rejects if it cannot. */
  readonly ready: Promise<void>;
  /** Resolves with the reason when the thread is gone; with `null` where it ended as it was asked to. */
  readonly gone: Promise<Error | null>;

  private constructor(stream: TransportStream) {
    this.#stream = stream;
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<Error | null>();
    let reason: Error | null = null;
    stream.on('ready', () => begun.resolve());
    stream.on('error', (error) => (reason ??= error));
    stream.worker.on('error', (error: Error) => (reason = error));
    const end = (): void => {
      begun.reject(reason ?? new SluiceError('ERR_LOG_OUTPUT', 'transport exited immediately'));
      ended.resolve(reason);
    };
    // The reason is told in a turn of its own, which may come after this one.
    stream.on('close', () => void setImmediate(end));
    begun.promise.catch(() => undefined);
    this.ready = begun.promise;
    this.gone = ended.promise;
    stream.emit('message', pinoConfig);
  }

  /** Starts the thread. pino is loaded when the first transport is. */
  static async start(file: string, options: JsonObject): Promise<TransportThread> {
    const { transport } = await import('pino');
    const stream: object = transport({ target: file, options: { ...options } });
    if (!hasThread(stream))
      throw new SluiceError('ERR_LOG_OUTPUT', 'this version of pino starts transports in an unsupported way');
    return new TransportThread(stream);
  }

  /** Resolves when the transport has taken the pieces. Rejects when its thread ends before. */
  async write(pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) this.#stream.write(piece);
    await this.#taken();
  }

  /** Has the transport write what it has, and ends it; one that takes too long is ended anyhow. */
  async close(): Promise<void> {
    const timer = setTimeout(
      guarded(task, () => unawaited(task, this.#stream.worker.terminate())),
      farewell,
    );
    // To end the stream blocks this thread until the transport has read everything: it has to have done so.
    await this.#taken().then(
      () => this.#stream.end(),
      () => undefined,
    );
    await this.gone;
    clearTimeout(timer);
  }

  async #taken(): Promise<void> {
    const flushed = new Promise<void>((resolve, reject) => {
      this.#stream.flush((error) => (error == null ? resolve() : reject(error)));
    });
    const lost = this.gone.then((reason) => {
      throw new SluiceError(
        'ERR_LOG_OUTPUT',
        `transport stopped: ${reason === null ? 'exited unexpectedly' : messageOf(reason)}`,
      );
    });
    await Promise.race([flushed, lost]);
  }
}

/** The thread of such a stream is not in its types. */
function hasThread(stream: object): stream is TransportStream {
  return 'worker' in stream;
}
