/** Copies a request body while the next handler reads it. */
import { BodyFilter, type BodySink, type RequestBody } from '@sluice/http-app';

/** Receives the copy. The reader gets the end of the body first. */
export interface CopySink {
  onCopied(content: Buffer): void;
  /** Called when the copy exceeds the limit and is discarded. */
  onTooLarge(): void;
  /** Called when the body is incomplete. */
  onIncomplete(): void;
}

/** Copies up to `limit` bytes. Only the reader can pause the body, not the copy. */
export class CopiedBody extends BodyFilter {
  readonly #limit: number;
  /** `null` if the copy is no longer needed. */
  #copy: CopySink | null;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(inner: RequestBody, limit: number, copy: CopySink) {
    super(inner);
    this.#limit = limit;
    this.#copy = copy;
  }

  /** Frees the copied bytes, and stops copying. */
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

  /** Copies a chunk before the reader gets it, because the reader may change or transfer it. */
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
