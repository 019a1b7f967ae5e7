/** Copies a request body, up to a limit, while a handler reads it. The copy becomes part of the recorded request. */
import { BodyFilter, type BodySink, type RequestBody } from '@sluice/http-app';

export class BodyCopy extends BodyFilter {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #isComplete = false;

  constructor(inner: RequestBody, limit: number) {
    super(inner);
    this.#limit = limit;
  }

  /** Copy of the body; `null` if the body exceeded the limit or was not read completely. */
  get content(): Buffer | null {
    return this.#isComplete && this.#size <= this.#limit ? Buffer.concat(this.#chunks) : null;
  }

  override consume(sink: BodySink): void {
    this.inner.consume({
      ...(sink.borrows === undefined ? {} : { borrows: sink.borrows }),
      onData: (chunk) => {
        this.#size += chunk.length;
        if (this.#size <= this.#limit) this.#chunks.push(Buffer.from(chunk));
        else this.#chunks = [];
        return sink.onData(chunk);
      },
      onEnd: () => {
        this.#isComplete = true;
        sink.onEnd();
      },
      onError: (error) => sink.onError(error),
    });
  }
}
