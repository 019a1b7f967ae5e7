/**
 * A response on its way through an encoder. The head is held until the first bytes show whether it is worth it; a body
 * that is short or known whole is encoded in one go, anything else goes through a stream of zlib. Nothing of a response
 * that is still held gets out when a handler fails.
 */
import { ClientGoneError, ResponseFilter, type Chunk, type HttpEncoder, type ResponseWriter } from '@sluice/http-app';
import { encodeBytes } from '@sluice/base';
import { addSuffix } from './entity-tag.ts';
import { encodeTextAtOnce } from './text-at-once.ts';
import { maxRemembered, type EncodedMemory, type RememberingEncoder } from './memory.ts';
import { addVary, type EncodingPolicy } from './policy.ts';
import { EncodedStream } from './stream.ts';

/** What comes in pieces is held up to this size: to encode it whole costs less than a stream. */
const maxHeld = 32 * 1024;
/** Longer bodies are encoded piece by piece while they are sent, even if they come whole. */
const maxWhole = maxRemembered;

/** Nothing is decided. */
const undecided = 0;
/** What comes is passed on. */
const plain = 1;
/** To be encoded; what came so far is held. */
const holding = 2;
const streaming = 3;
/** There is no body to encode, such as for HEAD. */
const bodyless = 4;

export class EncodingFilter extends ResponseFilter {
  readonly #policy: EncodingPolicy;
  readonly #encoder: HttpEncoder | null;
  readonly #memory: EncodedMemory | null;
  readonly #isHead: boolean;
  #state = undecided;
  /** Status of a head that is held; 0 for none. */
  #status = 0;
  #ended = false;
  #held: Buffer[] = [];
  #heldSize = 0;
  #stream: EncodedStream | null = null;
  /** A body that is being encoded whole. */
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

  /** The handlers are done: writes what is held. Gives a promise if an encoder is at work still. */
  finish(): void | Promise<void> {
    if (this.#state === undecided && this.#status !== 0) {
      if (this.#decide(null, false) === bodyless) this.end();
    } else if (!this.ended && (this.#state === holding || this.#state === streaming)) this.end();
    return this.#stream === null ? (this.#pending ?? undefined) : this.#stream.finished;
  }

  /** The response is cut: resolves when the client was sent as much of it as had come. */
  delivered(): Promise<void> {
    this.flush();
    return this.#stream === null ? Promise.resolve() : this.#stream.delivered();
  }

  /** A handler failed: drops what is held. */
  abandon(): void {
    this.#held = [];
    this.#abandoned = true;
    this.#stream?.destroy(new ClientGoneError('the handler failed'));
  }

  /** Decides by the first piece of the body, or by the head if there is none. Gives the new state. */
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

  /** Writes the head of an encoded response. */
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
    // A copy, since the writer may use its buffer again.
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

  /** The body came whole, so it may have been encoded before. */
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

  /** `source` is what to remember the result by; `null` for nothing. */
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
      // The handler waits for it, unless something else went wrong first.
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
