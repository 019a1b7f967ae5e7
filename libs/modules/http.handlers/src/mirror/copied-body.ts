/** Copies a request body while the next handler reads the body. */
import { BodyFilter, type BodySink, type RequestBody } from '@sluice/http-app';

/** Receives the copy of a body. When the body ends, the reader of the original is notified first. */
export interface CopySink {
  onCopied(content: Buffer): void;
  /** Called when the body exceeds the limit and the copy is discarded. */
  onTooLarge(): void;
  /** Called when the body was interrupted before it was complete. */
  onIncomplete(): void;
}

/** Copies up to `limit` bytes of a body. The original reader can pause the body, but the receiver of the copy can't. */
export class CopiedBody extends BodyFilter {
  readonly #limit: number;
  /** Receiver of the copy, or `null` if the copy is no longer needed. */
  #copy: CopySink | null;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(inner: RequestBody, limit: number, copy: CopySink) {
    super(inner);
    this.#limit = limit;
    this.#copy = copy;
  }

  /** Stops copying and frees the copied bytes. */
  discard(): void {
    this.#copy = null;
    this.#chunks = [];
  }

  override consume(sink: BodySink): void {
    this.inner.consume({
      borrows: sink.borrows ?? false,
      onData: (chunk) => {
        if (this.#copy !== null) this.#keep(chunk, this.#copy);
        return sink.onData(chunk);
      },
      onEnd: () => {
        const copy = this.#copy;
        const content = Buffer.concat(this.#chunks);
        this.discard();
        sink.onEnd();
        copy?.onCopied(content);
      },
      onError: (error) => {
        const copy = this.#copy;
        this.discard();
        sink.onError(error);
        copy?.onIncomplete();
      },
    });
  }

  /** Copies a chunk before the original reader receives it. The reader may change or transfer the chunk. */
  #keep(chunk: Buffer, copy: CopySink): void {
    this.#size += chunk.length;
    if (this.#size <= this.#limit) {
      this.#chunks.push(Buffer.from(chunk));
      return;
    }
    this.discard();
    copy.onTooLarge();
  }
}
