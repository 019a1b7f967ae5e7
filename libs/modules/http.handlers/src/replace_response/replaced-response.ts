/** Response filter that replaces text in the body. The body is either buffered until its length is known, or processed in chunks. */
import { encodeBytes } from '@sluice/base';
import { ResponseFilter, type Chunk, type Exchange, type ResponseMatcher } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import type { Stage } from './stages.ts';
import { TextPieces } from './text-pieces.ts';

/** Maximum size of a buffered body, in characters. A longer body is sent in chunks without Content-Length. */
const maxHeld = 16 * 1024 * 1024;

/** Maximum length of a regular expression match in buffered and in streamed bodies, in characters. */
const longMatch = 32 * 1024;
const shortMatch = 2 * 1024;

/** Headers that describe the bytes of the original body. They are removed. */
const staleFields = ['content-length', 'accept-ranges', 'content-md5', 'content-digest', 'repr-digest', 'digest'];

/** State: the response headers have not been written yet. */
const undecided = 0;
const unchanged = 1;
/** State: headers and body are being buffered. */
const holding = 2;
/** State: the response headers have been written. */
const streaming = 3;

export interface Replacing {
  readonly match: ResponseMatcher;
  /** True to send bodies in chunks instead of buffering them. */
  readonly stream: boolean;
  readonly stages: (exchange: Exchange, maxMatch: number) => readonly Stage[];
}

/** Filters the response while the following handlers run. */
export class ReplacedResponse extends ResponseFilter {
  readonly #exchange: Exchange;
  readonly #replacing: Replacing;
  readonly #pieces = new TextPieces();
  #stages: readonly Stage[] = [];
  #state: typeof undecided | typeof unchanged | typeof holding | typeof streaming = undecided;
  /** True for an event stream. In an event stream, matches can't span a flush. */
  #isEvents = false;
  /** Status of the response whose headers are buffered, or 0. */
  #status = 0;
  #held: string[] = [];
  #heldSize = 0;
  #heldTrailers: HeaderMap | null = null;
  #ended = false;

  constructor(exchange: Exchange, replacing: Replacing) {
    super(exchange.response);
    this.#exchange = exchange;
    this.#replacing = replacing;
  }

  override get status(): number {
    return this.#status === 0 ? this.inner.status : this.#status;
  }

  override get ended(): boolean {
    return this.#ended || this.inner.ended;
  }

  override get holds(): boolean {
    return this.#state === unchanged && this.inner.holds;
  }

  override writeHead(status: number): void {
    if (this.status !== 0 || this.ended) return;
    if (status === 304) weakenTag(this.headers);
    if (status < 200 || !this.#applies(status)) {
      if (status >= 200) this.#state = unchanged;
      this.inner.writeHead(status);
      return;
    }
    describeReplaced(this.headers);
    if (this.#exchange.method === 'HEAD') {
      this.#state = unchanged;
      this.inner.writeHead(status);
      return;
    }
    this.#isEvents = (this.headers.get('content-type') ?? '').startsWith('text/event-stream');
    const isStream = this.#replacing.stream || this.#isEvents;
    this.#stages = this.#replacing.stages(this.#exchange, isStream ? shortMatch : longMatch);
    this.#status = status;
    this.#state = holding;
    if (isStream) this.#startStream();
  }

  override write(chunk: Chunk): boolean {
    if (this.ended) return true;
    if (this.status === 0) this.writeHead(200);
    if (this.#state === unchanged) return this.inner.write(chunk);
    return this.#send(this.#replace(this.#pieces.push(chunk)));
  }

  override end(chunk?: Chunk): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#state === unchanged) {
      this.inner.end(chunk);
      return;
    }
    this.#ended = true;
    const last = this.#replace(chunk === undefined ? '' : this.#pieces.push(chunk)) + this.#replace(this.#pieces.end());
    const rest = encodeBytes(this.#take() + last + this.#release(true));
    if (this.#state === holding) {
      this.headers.set('content-length', String(rest.length));
      this.inner.writeHead(this.#status);
    }
    if (this.#heldTrailers !== null) this.inner.setTrailers(this.#heldTrailers);
    this.inner.end(rest);
  }

  override flush(): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#state === holding) return;
    if (this.#isEvents) this.#send(this.#release(false));
    this.inner.flush();
  }

  override drained(): Promise<void> {
    return this.#state === holding ? Promise.resolve() : this.inner.drained();
  }

  override setTrailers(trailers: HeaderMap): void {
    if (this.#state === holding) this.#heldTrailers = trailers;
    else this.inner.setTrailers(trailers);
  }

  /** Sends the buffered data after the following handlers have finished. */
  finish(): void {
    if (this.#state === holding || this.#state === streaming) this.end();
  }

  /** Reports whether to replace text in this response. */
  #applies(status: number): boolean {
    const { headers } = this;
    if (status === 204 || status === 304 || headers.has('content-range')) return false;
    const coding = headers.get('content-encoding') ?? '';
    if (coding !== '' && coding !== 'identity') return false;
    if ((headers.get('content-type') ?? '').startsWith('application/grpc')) return false;
    return this.#replacing.match(status, headers);
  }

  #startStream(): void {
    this.#state = streaming;
    this.inner.writeHead(this.#status);
    if (this.#heldTrailers !== null) this.inner.setTrailers(this.#heldTrailers);
  }

  #replace(text: string): string {
    let replaced = text;
    for (const stage of this.#stages) replaced = stage.push(replaced);
    return replaced;
  }

  /** Outputs the text that the stages are still buffering. The output of each stage passes through the stages after it. */
  #release(isEnd: boolean): string {
    let rest = '';
    for (const stage of this.#stages) rest = stage.push(rest) + stage.release(isEnd);
    return rest;
  }

  #send(text: string): boolean {
    let pending = text;
    if (this.#state === holding) {
      this.#held.push(text);
      this.#heldSize += text.length;
      if (this.#heldSize <= maxHeld) return true;
      this.#startStream();
      pending = this.#take();
    }
    return pending === '' || this.inner.write(encodeBytes(pending));
  }

  #take(): string {
    const text = this.#held.join('');
    this.#held = [];
    return text;
  }
}

/** Removes or weakens headers that describe the original body. */
function describeReplaced(headers: HeaderMap): void {
  for (const name of staleFields) headers.delete(name);
  weakenTag(headers);
}

/** Converts the entity tag to a weak tag. The tag does not change with the replacements, so it must not be strong. */
function weakenTag(headers: HeaderMap): void {
  const etag = headers.get('etag') ?? '';
  if (etag !== '' && !etag.startsWith('W/')) headers.set('etag', `W/${etag}`);
}
