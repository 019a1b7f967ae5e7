/** The body of a request that is explained: it is read once and piece by piece, as from a connection. */
import { type BodySink, emptyBody, RequestBody } from '@sluice/http-app';
import type { Facts } from './facts.ts';

/** Longest body that stands for one that is not known, in bytes. */
const longestStandIn = 64 * 1024;

/** Creates the body of a request. */
export function bodyOf({ body, bodyLength, standIns }: Facts): RequestBody {
  if (body === null) return emptyBody;
  const content = body ?? Buffer.alloc(Math.min(Math.abs(bodyLength), longestStandIn), standIns.body);
  return content.length === 0 && bodyLength >= 0 ? emptyBody : new ArrivedBody(content, bodyLength < 0);
}

class ArrivedBody extends RequestBody {
  readonly length: number;
  readonly trailers = null;
  consumed = false;
  readonly #content: Buffer;
  /** Whoever took the content, and takes the end when it goes on. */
  #waiting: BodySink | null = null;

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
