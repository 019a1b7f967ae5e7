/** Manages a transport thread from start to exit. */
import type { Worker } from 'node:worker_threads';
import { SluiceError, guarded, messageOf, taskOf, unawaited, type JsonObject } from '@sluice/base';

/** Members of pino's transport stream that this file uses. */
interface TransportStream {
  readonly worker: Worker;
  write(data: string | Buffer): boolean;
  flush(done: (error?: Error | null) => void): void;
  end(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'ready' | 'close', listener: () => void): unknown;
  emit(event: 'message', message: unknown): unknown;
}

/** Maximum time for a transport to exit, in milliseconds. */
export const flushTimeout: number = 5000;

const task = taskOf('caddy.logging.writers.pino');

/** Configuration that pino sends to transports. Some transports wait for it before they start. */
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

export class TransportThread {
  readonly #stream: TransportStream;
  /** Resolves when the transport has started. Rejects if it fails to start. */
  readonly ready: Promise<void>;
  /** Resolves when the thread has exited. The value is the exit reason, or `null` if the exit was requested. */
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
    // The exit reason may be reported only in a later event loop turn.
    stream.on('close', () => void setImmediate(end));
    begun.promise.catch(() => undefined);
    this.ready = begun.promise;
    this.gone = ended.promise;
    stream.emit('message', pinoConfig);
  }

  /** Starts a transport in a separate thread. The pino library is loaded on demand. */
  static async start(file: string, options: JsonObject): Promise<TransportThread> {
    const { transport } = await import('pino');
    const stream: object = transport({ target: file, options: { ...options } });
    if (!hasThread(stream))
      throw new SluiceError(
        'ERR_LOG_OUTPUT',
        'this version of pino is not supported, because it starts transports differently',
      );
    return new TransportThread(stream);
  }

  /** Resolves when the transport has accepted the data. Rejects if the thread exits first. */
  async write(pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) this.#stream.write(piece);
    await this.#taken();
  }

  /** Flushes and ends the transport. Terminates its thread after a timeout. */
  async close(): Promise<void> {
    const timer = setTimeout(
      guarded(task, () => unawaited(task, this.#stream.worker.terminate())),
      flushTimeout,
    );
    // Ending the stream blocks this thread until the transport has read all data. Wait until the data has been accepted.
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

/** Reports whether the stream has the property `thread`, which pino's types omit. */
function hasThread(stream: object): stream is TransportStream {
  return 'worker' in stream;
}
