/** Request bodies. The engine pushes the body with backpressure. Alternatively, a consumer reads the entire body, up to a limit. */
import { itemAt } from '@sluice/base';
import { HttpError, isHttpError } from '../errors.ts';
import type { HeaderMap } from '@sluice/http1';

export interface BodySink {
  /** True if the engine may overwrite chunks once `onData` has returned. Default: false. */
  readonly borrows?: boolean;
  /**
   * Receives a chunk, which must be used or copied immediately. If the method returns false, delivery pauses until {@link
   * RequestBody.resume} is called.
   */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  /** Called if the body is incomplete, because the client disconnected, sent invalid data, or sent too much data. */
  onError(error: Error): void;
}

/** Request body with a single consumer. HTTP engines extend this class. Handlers that modify bodies extend {@link BodyFilter}. */
export abstract class RequestBody {
  /** Length in bytes according to `Content-Length`. 0 if there is no body, and -1 if the length is unknown until the end. */
  abstract readonly length: number;
  /** Trailers of a complete body. `null` if there are none. */
  abstract readonly trailers: HeaderMap | null;
  /** Number of bytes that the reader has received so far. HTTP engines update this count. */
  received = 0;
  /** True once a consumer has started to read the body. */
  abstract readonly consumed: boolean;

  /** Starts delivering the body. For a request with `Expect: 100-continue`, the engine sends the interim response now. */
  abstract consume(sink: BodySink): void;
  /** Resumes delivery after `onData` has returned false. */
  abstract resume(): void;

  /** Returns the entire body if it is in memory. Otherwise, returns `null`. Routes that use `{http.request.body}` buffer the body. */
  buffered(): Buffer | null {
    return null;
  }

  /**
   * Error that occurred while the {@link buffered} body was read, for example if the body exceeds a limit. Code that depends on the body
   * must throw this error. The body placeholder evaluates to the error message.
   */
  get failure(): HttpError | null {
    return null;
  }

  /** Reads the entire body. Rejects with status 413 if the body exceeds `limit` bytes. */
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

/** Body of a request that has no body. */
export const emptyBody: RequestBody = new EmptyBody();

/** A body in memory, such as a body that a handler sets. */
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

  /** `failure` is the error if the body is incomplete. */
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

/** Maximum size of a body that is buffered for `{http.request.body}`, in bytes. */
const maxBuffered = 64 * 1024 * 1024;

/** Empty body, used instead of a body that has already been read. */
const readBody = new BufferedBody(Buffer.alloc(0));

/**
 * Reads a body into memory. If the client disconnects, keeps the part already received. If the body exceeds a configured limit, stores the
 * error as {@link RequestBody.failure}. If the body is too large for memory, rejects with status 413.
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
              `the request body is larger than the ${maxBuffered} bytes that {http.request.body} supports`,
            ),
          );
        return true;
      },
      onEnd: () => finish(),
      onError: finish,
    });
  });
}

/** Returns the error for an oversized body, with Caddy's wording. */
function failureOf(error: Error): HttpError | null {
  return isHttpError(error) && error.status === 413
    ? new HttpError(413, 'request body: http: request body too large', error)
    : null;
}

/** A body that wraps another body. Subclasses override only the methods that they change. */
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

/** A body with a read limit. Reading beyond the limit fails with status 413. */
export class LimitedBody extends BodyFilter {
  readonly #limit: number;
  #failure: HttpError | null = null;

  constructor(inner: RequestBody, limit: number) {
    super(inner);
    this.#limit = limit;
  }

  /** Also apply the limit to a body that was already in memory. */
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
