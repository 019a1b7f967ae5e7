/** Request body without a connection, for simulated requests. */
import { RequestBody, type BodySink } from '../exchange/body.ts';

/** A request body that is entirely in memory. */
export class UnconnectedBody extends RequestBody {
  readonly length: number;
  readonly trailers = null;
  consumed = false;
  readonly #content: Buffer;
  /** Consumer that paused after receiving the content. It is notified of the end of the body when it resumes. */
  #waiting: BodySink | null = null;

  /** `isChunked` is true if the request headers do not declare a length. */
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
