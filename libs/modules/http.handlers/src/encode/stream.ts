/** A body that is encoded while it is sent, as fast as the client takes it. */
import { guarded, type Guarded } from '@sluice/base';
import { ClientGoneError, type EncodingStream, type HttpEncoder, type ResponseWriter } from '@sluice/http-app';

/** Encodes into a response. */
export class EncodedStream implements Guarded {
  /** Settles when all is written, or when it went wrong. */
  readonly finished: Promise<void>;
  #reject: (error: unknown) => void = () => {};
  readonly #stream: EncodingStream;
  readonly #inner: ResponseWriter;
  readonly #flushKind: number;
  /** Pieces that the encoder has not taken yet. */
  #pending = 0;
  #flushing = false;
  /** Called when all is passed on; `null` unless someone waits for that. */
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
    // Whoever waits for it gets the error; if no one does any more, no one wants to know.
    this.finished.catch(() => {});
    stream.on('data', this.#onData);
  }

  /** False asks to wait for {@link drained}. The bytes must not change until then. */
  write(bytes: Buffer): boolean {
    if (this.#error !== null) return false;
    // A body that encodes to next to nothing is not written for long: nothing else tells that the client is gone.
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

  /** Puts out all that was written so far. */
  flush(): void {
    if (this.#error !== null) return;
    this.#flushing = true;
    const flushed = guarded(this, () => {
      this.#flushing = false;
      if (this.#error === null) this.#inner.flush();
    });
    // What the flush brought is on its way to `onData`.
    this.#stream.flush(this.#flushKind, () => process.nextTick(flushed));
  }

  /** Resolves when all pieces are encoded; rejects when the client has gone. */
  drained(): Promise<void> {
    if (this.#error !== null) return Promise.reject(this.#error);
    if (this.#pending === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  /** Resolves when all that was written is encoded and passed on, or can't be. */
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

  /** Gives up. */
  destroy(error: Error): void {
    this.#stream.destroy(error);
  }

  /** A callback of the encoder, or a filter after it, has thrown: the exchange fails. */
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
