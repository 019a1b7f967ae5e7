/** Encodes a body as a stream, as fast as the client reads. */
import { guarded, type Guarded } from '@sluice/base';
import { ClientGoneError, type EncodingStream, type HttpEncoder, type ResponseWriter } from '@sluice/http-app';

/** Encoder stream that writes to a response. */
export class EncodedStream implements Guarded {
  readonly finished: Promise<void>;
  #reject: (error: unknown) => void = () => {};
  readonly #stream: EncodingStream;
  readonly #inner: ResponseWriter;
  readonly #flushKind: number;
  #pending = 0;
  #flushing = false;
  /** Called when all data has been passed on. `null` if no code waits for this. */
  #onDelivered: (() => void) | null = null;
  #error: Error | null = null;
  #waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];

  constructor(encoder: HttpEncoder, inner: ResponseWriter) {
    const stream = encoder.stream();
    this.#stream = stream;
    this.#inner = inner;
    this.#flushKind = encoder.flushKind;
    this.finished = new Promise((resolve, reject) => {
      stream.once(
        'end',
        guarded(this, () => {
          inner.end();
          resolve();
        }),
      );
      stream.once(
        'error',
        guarded(this, (error: Error) => {
          reject(error);
          this.#fail(error);
        }),
      );
      this.#reject = reject;
    });
    // Code that awaits this promise receives the error. Otherwise, the error is ignored.
    this.finished.catch(() => {});
    stream.on('data', this.#onData);
  }

  /** Writes data. Returns false if the caller should wait for {@link drained}. The caller must not change the bytes until then. */
  write(bytes: Buffer): boolean {
    if (this.#error !== null) return false;
    // A body that compresses to almost nothing causes few writes, so check for a disconnect here.
    if (this.#inner.gone) {
      this.#fail(new ClientGoneError());
      this.#stream.destroy();
      this.#reject(this.#error);
      return false;
    }
    this.#pending++;
    return this.#stream.write(bytes, this.#taken);
  }

  end(bytes: Buffer): void {
    if (this.#error !== null) return;
    if (bytes.length > 0) this.#stream.end(bytes);
    else this.#stream.end();
  }

  /** Makes the encoder output all data written so far. */
  flush(): void {
    if (this.#error !== null) return;
    this.#flushing = true;
    const flushed = guarded(this, () => {
      this.#flushing = false;
      if (this.#error === null) this.#inner.flush();
    });
    // The flushed data has not reached `onData` yet, so wait for the next tick.
    this.#stream.flush(this.#flushKind, () => process.nextTick(flushed));
  }

  /** Resolves when all data has been encoded. Rejects if the client has disconnected. */
  drained(): Promise<void> {
    if (this.#error !== null) return Promise.reject(this.#error);
    if (this.#pending === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  /** Resolves when all written data has been encoded and passed on, or when this is no longer possible. */
  delivered(): Promise<void> {
    if (this.#error !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.once('close', resolve);
      const flushed = guarded(this, () => {
        this.#onDelivered = resolve;
        this.#checkDelivered();
      });
      this.#stream.flush(this.#flushKind, () => process.nextTick(flushed));
    });
  }

  #checkDelivered(): void {
    if (this.#onDelivered === null || this.#stream.readableLength > 0) return;
    if (this.#error === null) this.#inner.flush();
    this.#onDelivered();
    this.#onDelivered = null;
  }

  /** Aborts encoding. */
  destroy(error: Error): void {
    this.#stream.destroy(error);
  }

  /** Handles an exception in an encoder callback or a later filter by failing the request. */
  fault(error: unknown): void {
    this.#reject(error);
    this.#fail(error as Error);
    this.#stream.destroy();
  }

  readonly #taken = guarded(this, (error?: Error | null) => {
    this.#pending--;
    if (error != null || this.#pending > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
  });

  readonly #onData = guarded(this, (chunk: Buffer) => {
    const more = this.#inner.write(chunk);
    if (this.#flushing) this.#inner.flush();
    this.#checkDelivered();
    if (more) return;
    this.#stream.pause();
    this.#inner.drained().then(
      guarded(this, () => this.#stream.resume()),
      guarded(this, (error: Error) => this.#stream.destroy(error)),
    );
  });

  #fail(error: Error): void {
    this.#error = error;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(error);
  }
}
