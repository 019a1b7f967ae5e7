/** One request of an HTTP/2 connection. */
import type { ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { guarded, type Guarded } from '@sluice/registry';
import { HttpError } from '../../errors.ts';
import { emptyBody } from '../../exchange/body.ts';
import type { ConnectionInfo } from '../../exchange/connection.ts';
import { Exchange, type RequestHead } from '../../exchange/exchange.ts';
import type { ServerHandle } from '../../server/server-handle.ts';
import type { SocketFacts } from '../facts.ts';
import { KnownFacts } from '../known-facts.ts';
import { Http2Body } from './body.ts';
import type { Http2Head } from './head.ts';
import { Http2Response } from './response.ts';

const never = Number.POSITIVE_INFINITY;
const cancel = 8;
const internalError = 2;
const nothing = Buffer.alloc(0);

/** Runs one exchange on a stream. */
export class Http2Exchange extends KnownFacts implements ConnectionInfo, Guarded {
  /** When the body, and when the answer, has to be complete; Infinity for no limit. */
  readDeadline = never;
  writeDeadline = never;
  /** Called when a handler has set a deadline. */
  onDeadline: (() => void) | null = null;
  readonly #stream: ServerHttp2Stream;
  readonly #exchange: Exchange;
  readonly #response: Http2Response;
  /** For a WebSocket: what comes on the stream, until somebody takes it over. */
  readonly #body: Http2Body | null;
  readonly #webSocket: boolean;

  constructor(stream: ServerHttp2Stream, head: Http2Head, facts: SocketFacts, server: ServerHandle) {
    super(facts);
    this.#stream = stream;
    this.#body = stream.endAfterHeaders ? null : new Http2Body(stream, this, lengthOf(head), expectsContinue(head));
    this.#webSocket = head.webSocket;
    this.#response = new Http2Response(stream, head, this, () => this.#answered());
    const body = head.webSocket ? emptyBody : (this.#body ?? emptyBody);
    this.#exchange = new Exchange(head, this, this.#response, body);
    const { readTimeout, writeTimeout } = server.limits;
    const { startedAt } = this.#exchange;
    if (readTimeout > 0 && body !== emptyBody) this.readDeadline = startedAt + readTimeout;
    if (writeTimeout > 0) this.writeDeadline = startedAt + writeTimeout;
    stream.on(
      'close',
      guarded(this, () => this.#closed()),
    );
  }

  /** Runs the exchange. */
  run(server: ServerHandle): void {
    const pending = server.handle(this.#exchange);
    // It never rejects, and what it waits for is not ours.
    if (pending !== undefined) void pending;
  }

  /** A callback of the stream has thrown: this request fails, and the other streams do not notice. */
  fault(error: unknown): void {
    this.#exchange.fault(error);
    // What the exchange could not end is reset.
    if (!this.#response.ended && !this.#exchange.over) return;
    if (!this.#stream.closed && !this.#stream.writableEnded) this.#stream.close(internalError);
  }

  /** The next moment at which {@link expire} has to look. */
  get deadline(): number {
    return Math.min(this.readDeadline, this.writeDeadline);
  }

  expire(now: number): void {
    if (this.writeDeadline <= now) {
      this.destroy();
      return;
    }
    if (this.readDeadline > now) return;
    this.readDeadline = never;
    this.#body?.fail(new HttpError(408, 'the request body took too long'));
  }

  setDeadline(of: 'body' | 'answer', at: number): void {
    if (this.#stream.closed || this.#response.ended) return;
    if (of === 'answer') this.writeDeadline = at;
    else if (this.#body !== null) this.readDeadline = at;
    this.onDeadline?.();
  }

  upgrade(): { readonly socket: Duplex; readonly head: Buffer } | null {
    if (!this.#webSocket || !this.#response.openWebSocket()) return null;
    this.readDeadline = this.writeDeadline = never;
    return { socket: this.#stream, head: nothing };
  }

  destroy(): void {
    if (!this.#stream.closed) this.#stream.close(cancel);
  }

  #answered(): void {
    this.readDeadline = never;
    this.#body?.discard();
  }

  #closed(): void {
    this.readDeadline = this.writeDeadline = never;
    this.#response.closed();
    if (!this.#response.ended) this.#exchange.abort();
    this.#body?.fail();
  }
}

function lengthOf(head: RequestHead): number {
  const length = Number(head.headers.get('content-length') ?? -1);
  return Number.isSafeInteger(length) && length >= 0 ? length : -1;
}

function expectsContinue(head: RequestHead): boolean {
  return head.headers.get('expect')?.toLowerCase() === '100-continue';
}
