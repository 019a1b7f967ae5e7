/** The body of a request without a connection: it is read once and as it comes, as from the engines. */
import { RequestBody, type BodySink } from '../exchange/body.ts';

/** All of it has arrived. */
export class UnconnectedBody extends RequestBody {
  readonly length: number;
  readonly trailers = null;
  consumed = false;
  readonly #content: Buffer;
  /** Whoever took the content, and takes the end when it goes on. */
  #waiting: BodySink | null = null;

  /** `isChunked`: its head does not tell its length. */
  constructor(content: Buffer, isChunked: boolean) {
    super();
    this.#content = content;
    this.length = isChunked ? -1 : content.length;
  }

  consume(sink: BodySink): void {
    if (this.consumed) throw new Error('the body of the request has a consumer already');
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
