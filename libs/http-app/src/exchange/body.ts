/** The body of a request: pushed by the engine, with back-pressure; or read whole, bounded. */
import { itemAt } from '@sluice/base';
import { HttpError, isHttpError } from '../errors.ts';
import type { HeaderMap } from '@sluice/http1';

/** Takes the chunks of a body. */
export interface BodySink {
  /** Whether chunks may be overwritten as soon as `onData` has returned; absent: no. */
  readonly borrows?: boolean;
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
  /** Whether a reader has begun. */
  abstract readonly consumed: boolean;

  /** Begins to deliver. An engine that got `Expect: 100-continue` sends its interim response now. */
  abstract consume(sink: BodySink): void;
  /** Goes on after `onData` returned false. */
  abstract resume(): void;

  /** The whole body if it is in memory, else `null`. The server buffers it for routes that use `{http.request.body}`. */
  buffered(): Buffer | null {
    return null;
  }

  /**
   * Why {@link buffered} is not what the client sent: it was too much. Whoever decides by the body has to raise it; in
   * a text it stands for the body, by its message.
   */
  get failure(): HttpError | null {
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
        onEnd: () => resolve(chunks.length === 1 ? itemAt(chunks, 0) : Buffer.concat(chunks)),
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
  readonly #failure: HttpError | null;

  override buffered(): Buffer {
    return this.#content;
  }

  override get failure(): HttpError | null {
    return this.#failure;
  }

  /** `failure` is why there is no more of it than `content`. */
  constructor(content: Buffer, failure: HttpError | null = null) {
    super();
    this.#content = content;
    this.#failure = failure;
    this.length = failure === null ? content.length : -1;
  }

  consume(sink: BodySink): void {
    this.consumed = true;
    if (this.#content.length > 0) sink.onData(this.#content);
    if (this.#failure === null) sink.onEnd();
    else sink.onError(this.#failure);
  }

  resume(): void {}
}

/** Largest body that is buffered for `{http.request.body}`. */
const maxBuffered = 64 * 1024 * 1024;

/** What is left of a body that was read already. */
const readBody = new BufferedBody(Buffer.alloc(0));

/**
 * Reads a body into memory. One that breaks off is kept as far as it came; one that exceeds a limit carries that as its
 * {@link RequestBody.failure}; one that is too large for any memory is an error of status 413.
 */
export function bufferBody(body: RequestBody): Promise<BufferedBody> {
  if (body.consumed) return Promise.resolve(body.failure === null ? readBody : new BufferedBody(empty, body.failure));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (error?: Error): void =>
      resolve(new BufferedBody(Buffer.concat(chunks), error === undefined ? null : failureOf(error)));
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
      onEnd: () => finish(),
      onError: finish,
    });
  });
}

/** What stands for a body that is too large, in the reference's words. */
function failureOf(error: Error): HttpError | null {
  return isHttpError(error) && error.status === 413
    ? new HttpError(413, 'request body: http: request body too large', error)
    : null;
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

  override get failure(): HttpError | null {
    return this.inner.failure;
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
  #failure: HttpError | null = null;

  constructor(inner: RequestBody, limit: number) {
    super(inner);
    this.#limit = limit;
  }

  /** Also of a body that was in memory before the limit was set. */
  override get failure(): HttpError | null {
    const size = this.inner.buffered()?.length ?? 0;
    if (this.#failure === null && (size > this.#limit || this.length > this.#limit)) this.#exceeded();
    return this.#failure ?? this.inner.failure;
  }

  override consume(sink: BodySink): void {
    if (this.length > this.#limit) {
      sink.onError(this.#exceeded());
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
        sink.onError(this.#exceeded());
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

  #exceeded(): HttpError {
    const error = tooLarge(this.#limit);
    this.#failure = failureOf(error);
    return error;
  }
}

function tooLarge(limit: number): HttpError {
  return new HttpError(413, `the request body is larger than ${limit} bytes`);
}
