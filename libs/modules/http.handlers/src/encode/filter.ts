/**
 * Response filter that encodes the body. The headers are held back until the first bytes show whether encoding is worthwhile. Short or
 * complete bodies are encoded in one step, and others are streamed through zlib. If a handler fails while the response is held back, none
 * of it is sent.
 */
import { ClientGoneError, ResponseFilter, type Chunk, type HttpEncoder, type ResponseWriter } from '@sluice/http-app';
import { encodeBytes } from '@sluice/base';
import { addSuffix } from './entity-tag.ts';
import { encodeTextAtOnce } from './text-at-once.ts';
import { maxRemembered, type EncodedMemory, type RememberingEncoder } from './memory.ts';
import { addVary, type EncodingPolicy } from './policy.ts';
import { EncodedStream } from './stream.ts';

/** Maximum size of a chunked body to hold back, in bytes. Encoding a complete body is cheaper than streaming. */
const maxHeld = 32 * 1024;
/** Maximum size of a body to encode in one step. Larger bodies are encoded in chunks, even if they are complete. */
const maxWhole = maxRemembered;

/** State: the decision whether to encode the response is still pending. */
const undecided = 0;
/** State: data is passed through unchanged. */
const plain = 1;
/** State: the response will be encoded, and its data is still being held back. */
const holding = 2;
const streaming = 3;
/** State: there is no body to encode, for example for a HEAD request. */
const bodyless = 4;

export class EncodingFilter extends ResponseFilter {
  readonly #policy: EncodingPolicy;
  readonly #encoder: HttpEncoder | null;
  readonly #memory: EncodedMemory | null;
  readonly #isHead: boolean;
  #state = undecided;
  /** Status of the response whose headers are held back, or 0. */
  #status = 0;
  #ended = false;
  #held: Buffer[] = [];
  #heldSize = 0;
  #stream: EncodedStream | null = null;
  /** Pending encoding of a complete body, or null. */
  #pending: Promise<void> | null = null;
  #abandoned = false;

  constructor(inner: ResponseWriter, policy: EncodingPolicy, encoder: RememberingEncoder | null, isHead: boolean) {
    super(inner);
    this.#policy = policy;
    this.#encoder = encoder === null ? null : encoder.encoder;
    this.#memory = encoder === null ? null : encoder.memory;
    this.#isHead = isHead;
  }

  override get status(): number {
    return this.#status === 0 ? this.inner.status : this.#status;
  }

  override get ended(): boolean {
    return this.#ended || this.inner.ended;
  }

  override writeHead(status: number): void {
    if (this.status !== 0) return;
    if (status >= 200) this.#status = status;
    else this.inner.writeHead(status);
  }

  override write(chunk: Chunk): boolean {
    if (this.ended) return true;
    if (this.status === 0) this.writeHead(200);
    if (chunk.length === 0) return true;
    if (this.#state === undecided) this.#decide(chunk, false);
    switch (this.#state) {
      case plain:
        return this.inner.write(chunk);
      case holding:
        return this.#hold(chunk);
      case streaming:
        return (this.#stream as EncodedStream).write(bytesOf(chunk));
      default:
        return true;
    }
  }

  override end(chunk: Chunk = ''): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    const whole = this.#state === undecided;
    if (whole) this.#decide(chunk, false);
    this.#ended = true;
    switch (this.#state) {
      case plain:
        if (chunk.length === 0) this.inner.end();
        else this.inner.end(chunk);
        break;
      case holding:
        if (whole) this.#encodeWhole(chunk);
        else this.#encodeHeld(chunk);
        break;
      case streaming:
        (this.#stream as EncodedStream).end(bytesOf(chunk));
        break;
      default:
        this.#commit();
        this.inner.end();
    }
  }

  override flush(): void {
    if (this.ended) return;
    if (this.status === 0) this.writeHead(200);
    if (this.#state === undecided) this.#decide(null, true);
    if (this.#state === holding) this.#startStream();
    if (this.#state === streaming) (this.#stream as EncodedStream).flush();
    else if (this.#state === plain) this.inner.flush();
  }

  override drained(): Promise<void> {
    return this.#stream === null ? this.inner.drained() : this.#stream.drained();
  }

  /** Writes the data that was held back, after all handlers have finished. Returns a promise if an encoder is still running. */
  finish(): void | Promise<void> {
    if (this.#state === undecided && this.#status !== 0) {
      if (this.#decide(null, false) === bodyless) this.end();
    } else if (!this.ended && (this.#state === holding || this.#state === streaming)) this.end();
    return this.#stream === null ? (this.#pending ?? undefined) : this.#stream.finished;
  }

  /** Flushes a response that is about to be cut off. Resolves when all data so far has been sent to the client. */
  delivered(): Promise<void> {
    this.flush();
    return this.#stream === null ? Promise.resolve() : this.#stream.delivered();
  }

  abandon(): void {
    this.#held = [];
    this.#abandoned = true;
    this.#stream?.destroy(new ClientGoneError('the handler failed'));
  }

  /**
   * Decides whether to encode the response, based on the first chunk of the body. If there is no body, decides based on the headers.
   * Returns the new state.
   */
  #decide(first: Chunk | null, flushed: boolean): number {
    const status = this.#status;
    const empty = first === null || first.length === 0;
    const { headers } = this;
    if (status !== 0 && this.#policy.applies(status, headers, { first, flushed })) {
      if (this.#encoder !== null) {
        this.#state = this.#isHead || status === 204 || status === 304 ? bodyless : holding;
        return this.#state;
      }
      addVary(headers);
    } else if (status === 304 && empty) addVary(headers);
    this.#state = plain;
    if (status !== 0) this.inner.writeHead(status);
    return plain;
  }

  /** Writes the headers of an encoded response. */
  #commit(): void {
    const { headers } = this;
    const { coding } = this.#encoder as HttpEncoder;
    addVary(headers);
    headers.set('content-encoding', coding);
    headers.delete('content-length');
    headers.delete('accept-ranges');
    addSuffix(headers, coding);
    this.inner.writeHead(this.#status);
  }

  #hold(chunk: Chunk): boolean {
    if (this.#heldSize + chunk.length > maxHeld) {
      this.#startStream();
      return (this.#stream as EncodedStream).write(bytesOf(chunk));
    }
    // Copy the data, because the writer may reuse its buffer.
    const bytes = typeof chunk === 'string' ? encodeBytes(chunk) : Buffer.from(chunk);
    this.#held.push(bytes);
    this.#heldSize += bytes.length;
    return true;
  }

  #startStream(): void {
    this.#commit();
    this.#state = streaming;
    this.#stream = new EncodedStream(this.#encoder as HttpEncoder, this.inner);
    for (const chunk of this.#held) this.#stream.write(chunk);
    this.#held = [];
  }

  #encodeHeld(last: Chunk): void {
    const body = Buffer.concat([...this.#held, bytesOf(last)]);
    this.#held = [];
    this.#encode(body, null);
  }

  #encodeWhole(body: Chunk): void {
    const encoded = (this.#memory as EncodedMemory).find(body);
    if (encoded !== null) {
      this.#commit();
      this.inner.end(encoded);
      return;
    }
    const early = typeof body === 'string' ? encodeTextAtOnce(this.#encoder as HttpEncoder, body) : null;
    if (early === null) this.#encode(bytesOf(body), body);
    else this.#send(early, body);
  }

  /** Encodes a complete body. `source` is the cache key for the result. If it is `null`, the result is not cached. */
  #encode(body: Buffer, source: Chunk | null): void {
    if (body.length > maxWhole) {
      this.#startStream();
      (this.#stream as EncodedStream).end(body);
      return;
    }
    const encoded = (this.#encoder as HttpEncoder).encode(body);
    if (encoded instanceof Promise) {
      this.#pending = encoded.then((late) => {
        if (!this.#abandoned) this.#send(late, source);
      });
      // If the handler fails first, no code awaits this promise. Its rejection must not count as unhandled.
      this.#pending.catch(() => undefined);
    } else this.#send(encoded, source);
  }

  #send(encoded: Buffer, source: Chunk | null): void {
    if (source !== null) (this.#memory as EncodedMemory).keep(source, encoded);
    this.#commit();
    this.inner.end(encoded);
  }
}

function bytesOf(chunk: Chunk): Buffer {
  return typeof chunk === 'string' ? encodeBytes(chunk) : chunk;
}
