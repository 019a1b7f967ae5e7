/** Request body without a connection, for simulated requests. */
import { RequestBody, type BodySink } from '../exchange/body.ts';

/** A body that is completely in memory. */
export class UnconnectedBody extends RequestBody {
  readonly length: number;
  readonly trailers = null;
  consumed = false;
  readonly #content: Buffer;
  /** Sink that paused after the content and gets the end when it resumes. */
  #waiting: BodySink | null = null;

  /** `isChunked`: the head doesn't declare a length. */
  constructor(content: Buffer, isChunked: boolean) {
    super();
    this.#content = content;
    this.length = isChunked ? -1 : content.length;
  }

  consume(sink: BodySink): void {
    if (this.consumed) throw new Error('the request body is already being read');
    this.consumed = true;
    this.received = this.#content.length;
    if (this.#content.length === 0 || sink.onData(this.#content)) sink.onEnd();
    else this.#waiting = sink;
  }

  resume(): void {
    const sink = this.#waiting;
    this.#waiting = null;
    sink?.onEnd();
  }
}
