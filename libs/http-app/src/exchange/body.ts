/** The body of a request: pushed by the engine, with back-pressure; or read whole, bounded. */
import { HttpError } from '../errors.ts';
import type { HeaderMap } from './headers.ts';

/** Takes the chunks of a body. */
export interface BodySink {
  /** A chunk, to be used or copied at once. Returning false pauses until {@link RequestBody.resume}. */
  onData(chunk: Buffer): boolean;
  /** The body is complete. */
  onEnd(): void;
  /** The body will not be complete: the client went away, sent nonsense, or sent too much. */
  onError(error: Error): void;
}

/** A request's body. Engines extend it; handlers that change bodies extend {@link BodyFilter}. Only one consumer; a second is an error. */
export abstract class RequestBody {
  /** Bytes as declared by Content-Length; 0 for no body; -1 where only the end will tell. */
  abstract readonly length: number;
  /** Trailer fields, once the body is complete; `null` if there are none. */
  abstract readonly trailers: HeaderMap | null;
  /** How many bytes came so far for those who read it. Counted by engines. */
  received = 0;
  /** Whether anybody began to read it. */
  abstract readonly consumed: boolean;

  /** Begins to deliver. An engine that got `Expect: 100-continue` sends its interim response now. */
  abstract consume(sink: BodySink): void;
  /** Goes on after `onData` returned false. */
  abstract resume(): void;

  /** The whole body if it is in memory, else `null`. The server buffers it for routes that use `{http.request.body}`. */
  buffered(): Buffer | null {
    return null;
  }

  /** The whole body; more than `limit` bytes are an error of status 413. */
  bytes(limit: number): Promise<Buffer> {
    if (this.length === 0) return Promise.resolve(empty);
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      this.consume({
        onData: (chunk) => {
          size += chunk.length;
          if (size > limit) {
            reject(tooLarge(limit));
            return true;
          }
          chunks.push(Buffer.from(chunk));
          return true;
        },
        onEnd: () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
        onError: reject,
      });
    });
  }
}

const empty = Buffer.alloc(0);

class EmptyBody extends RequestBody {
  readonly length = 0;
  readonly trailers = null;
  readonly consumed = false;

  consume(sink: BodySink): void {
    sink.onEnd();
  }

  resume(): void {}
}

/** The body of requests that have none. */
export const emptyBody: RequestBody = new EmptyBody();

/** A body that is in memory, such as one that a handler set or replays. */
export class BufferedBody extends RequestBody {
  readonly length: number;
  readonly trailers = null;
  consumed = false;
  readonly #content: Buffer;

  override buffered(): Buffer {
    return this.#content;
  }

  constructor(content: Buffer) {
    super();
    this.#content = content;
    this.length = content.length;
  }

  consume(sink: BodySink): void {
    this.consumed = true;
    if (this.#content.length > 0) sink.onData(this.#content);
    sink.onEnd();
  }

  resume(): void {}
}

/** Largest body that is buffered for `{http.request.body}`. */
const maxBuffered = 64 * 1024 * 1024;

/** Reads a body into memory. One that breaks off is kept as far as it came; one that is too large is an error of status 413. */
export function bufferBody(body: RequestBody): Promise<BufferedBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (): void => resolve(new BufferedBody(Buffer.concat(chunks)));
    body.consume({
      onData: (chunk) => {
        size += chunk.length;
        if (size <= maxBuffered) chunks.push(Buffer.from(chunk));
        else
          reject(
            new HttpError(
              413,
              `the request body is larger than the ${maxBuffered} bytes that {http.request.body} can hold`,
            ),
          );
        return true;
      },
      onEnd: finish,
      onError: finish,
    });
  });
}

/** A body on top of another: override what you change. */
export class BodyFilter extends RequestBody {
  readonly inner: RequestBody;

  constructor(inner: RequestBody) {
    super();
    this.inner = inner;
  }

  get length(): number {
    return this.inner.length;
  }

  get trailers(): HeaderMap | null {
    return this.inner.trailers;
  }

  get consumed(): boolean {
    return this.inner.consumed;
  }

  override buffered(): Buffer | null {
    return this.inner.buffered();
  }

  consume(sink: BodySink): void {
    this.inner.consume(sink);
  }

  resume(): void {
    this.inner.resume();
  }
}

/** A body of which at most so many bytes may be read; more is an error of status 413 for whoever reads. */
export class LimitedBody extends BodyFilter {
  readonly #limit: number;

  constructor(inner: RequestBody, limit: number) {
    super(inner);
    this.#limit = limit;
  }

  /** What `{http.request.body}` shows: of a body that is too large, the reason, in the reference's words. */
  override buffered(): Buffer | null {
    const content = this.inner.buffered();
    return content !== null && content.length > this.#limit
      ? Buffer.from('request body: http: request body too large')
      : content;
  }

  override consume(sink: BodySink): void {
    if (this.length > this.#limit) {
      sink.onError(tooLarge(this.#limit));
      return;
    }
    let left = this.#limit;
    let failed = false;
    this.inner.consume({
      onData: (chunk) => {
        if (failed) return true;
        left -= chunk.length;
        if (left >= 0) return sink.onData(chunk);
        failed = true;
        sink.onError(tooLarge(this.#limit));
        return true;
      },
      onEnd: () => {
        if (!failed) sink.onEnd();
      },
      onError: (error) => {
        if (!failed) sink.onError(error);
      },
    });
  }
}

function tooLarge(limit: number): HttpError {
  return new HttpError(413, `the request body is larger than ${limit} bytes`);
}
