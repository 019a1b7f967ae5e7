/** A body that is encoded while it is sent, as fast as the client takes it. */
import type { EncodingStream, HttpEncoder, ResponseWriter } from '@sluice/http-app';

/** Encodes into a response. */
export class EncodedStream {
  /** Settles when all is written, or when it went wrong. */
  readonly finished: Promise<void>;
  readonly #stream: EncodingStream;
  readonly #inner: ResponseWriter;
  readonly #flushKind: number;
  /** Pieces that the encoder has not taken yet. */
  #pending = 0;
  #flushing = false;
  #error: Error | null = null;
  #waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];

  constructor(encoder: HttpEncoder, inner: ResponseWriter) {
    const stream = encoder.stream();
    this.#stream = stream;
    this.#inner = inner;
    this.#flushKind = encoder.flushKind;
    this.finished = new Promise((resolve, reject) => {
      stream.once('end', () => {
        inner.end();
        resolve();
      });
      stream.once('error', (error) => {
        this.#fail(error);
        reject(error);
      });
    });
    // Whoever waits for it gets the error; if nobody does any more, nobody wants to know.
    this.finished.catch(() => {});
    stream.on('data', this.#onData);
  }

  /** False asks to wait for {@link drained}. The bytes must not change until then. */
  write(bytes: Buffer): boolean {
    if (this.#error !== null) return false;
    this.#pending++;
    return this.#stream.write(bytes, this.#taken);
  }

  end(bytes: Buffer): void {
    if (this.#error !== null) return;
    if (bytes.length > 0) this.#stream.end(bytes);
    else this.#stream.end();
  }

  /** Puts out all that was written so far. */
  flush(): void {
    if (this.#error !== null) return;
    this.#flushing = true;
    this.#stream.flush(this.#flushKind, () => {
      // What the flush brought is on its way to `onData`.
      process.nextTick(() => {
        this.#flushing = false;
        if (this.#error === null) this.#inner.flush();
      });
    });
  }

  /** Resolves when all pieces are encoded; rejects when the client has gone. */
  drained(): Promise<void> {
    if (this.#error !== null) return Promise.reject(this.#error);
    if (this.#pending === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  /** Gives up. */
  destroy(error: Error): void {
    this.#stream.destroy(error);
  }

  readonly #taken = (error?: Error | null): void => {
    this.#pending--;
    if (error != null || this.#pending > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
  };

  readonly #onData = (chunk: Buffer): void => {
    const more = this.#inner.write(chunk);
    if (this.#flushing) this.#inner.flush();
    if (more) return;
    this.#stream.pause();
    this.#inner.drained().then(
      () => this.#stream.resume(),
      (error: Error) => this.#stream.destroy(error),
    );
  };

  #fail(error: Error): void {
    this.#error = error;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(error);
  }
}
