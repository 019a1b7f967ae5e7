import type { Duplex } from 'node:stream';
import { isSameToken } from '@sluice/base';
import type { HeaderMap, RequestHead } from '@sluice/http1';
import { HttpError } from '../../errors.ts';
import { emptyBody } from '../../exchange/body.ts';
import type { ConnectionInfo } from '../../exchange/connection.ts';
import { Exchange } from '../../exchange/exchange.ts';
import type { PaceRule } from '../../exchange/pace-rule.ts';
import type { ServerHandle } from '../server-handle.ts';
import type { SocketFacts } from '../facts.ts';
import { KnownFacts } from '../known-facts.ts';
import type { MultiplexedStream, StreamOwner } from '../multiplexed-stream.ts';
import { Pace } from '../pace.ts';
import { Http2Body, type BodyWatch } from './body.ts';
import type { Http2Head } from './head.ts';
import { Http2Response, type ResponseWatch } from './response.ts';
import { StreamTunnel } from './tunnel.ts';
import type { Unsent } from './unsent.ts';

const never = Number.POSITIVE_INFINITY;
/** Maximum time to receive the rest of a body that no handler reads, in milliseconds. */
const restTime = 2000;
const nothing = Buffer.alloc(0);

/** Interface through which HTTP/2 exchanges call their connection. */
export interface Http2Place {
  readonly facts: SocketFacts;
  readonly unsent: Unsent;
  /** Registers a deadline. An earlier deadline may already exist. */
  watchUntil(deadline: number): void;
}

export class Http2Exchange extends KnownFacts implements ConnectionInfo, BodyWatch, ResponseWatch, StreamOwner {
  readDeadline = never;
  writeDeadline = never;
  readonly #bodyPace: Pace | null;
  /** Tracks the transfer rate of the response. Created when the client is slow. */
  #responsePace: Pace | null = null;
  /** Transfer rate rule of the server, or of a handler that overrides the server's rule. */
  #responseRule: PaceRule;
  readonly #place: Http2Place;
  readonly #stream: MultiplexedStream;
  readonly #exchange: Exchange;
  readonly #response: Http2Response;
  /** Request body. For a WebSocket, contains the incoming data until a handler takes over the stream. */
  readonly #body: Http2Body | null;
  readonly #webSocket: boolean;
  /** WebSocket tunnel. Set once a handler takes over the stream. */
  #tunnel: StreamTunnel | null = null;

  constructor(stream: MultiplexedStream, head: Http2Head, place: Http2Place, { limits }: ServerHandle) {
    super(place.facts);
    this.#stream = stream;
    this.#place = place;
    this.#body = stream.remoteEnded ? null : new Http2Body(stream, head, expectsContinue(head), this);
    this.#bodyPace = this.#body === null || head.webSocket ? null : new Pace(limits.readPace);
    this.#responseRule = limits.writePace;
    this.#webSocket = head.webSocket;
    this.#response = new Http2Response(stream, {
      isHead: head.method === 'HEAD',
      isWebSocket: head.webSocket,
      unsent: place.unsent,
      watch: this,
    });
    const body = head.webSocket ? emptyBody : (this.#body ?? emptyBody);
    this.#exchange = new Exchange(head, this, this.#response, body);
    const { startedAt } = this.#exchange;
    if (limits.readTimeout > 0 && body !== emptyBody) this.readDeadline = startedAt + limits.readTimeout;
    if (limits.writeTimeout > 0) this.writeDeadline = startedAt + limits.writeTimeout;
  }

  /** Time at which the request arrived, in milliseconds of `performance.now()`. */
  get startedAt(): number {
    return this.#exchange.startedAt;
  }

  /** Runs the exchange, unless the client has already reset the stream. */
  run(server: ServerHandle): void {
    if (this.#stream.closed) return;
    const pending = server.handle(this.#exchange);
    // The promise never rejects, and its result is not needed.
    if (pending !== undefined) void pending;
  }

  /** True if the response has ended, even if it has not been sent yet. */
  get hasEnded(): boolean {
    return this.#response.ended;
  }

  /** Handles an exception in a stream callback. Fails this request without affecting other streams. */
  fault(error: unknown): void {
    this.#exchange.fault(error);
    // Reset the stream if the exchange could not end it.
    if (!this.#response.ended && !this.#exchange.over) return;
    if (!this.#stream.ending) this.#stream.reset(this.#stream.codes.internalError);
  }

  /** Time at which {@link expire} must run next. */
  get deadline(): number {
    const pace = Math.min(this.#bodyPace?.deadline ?? never, this.#responsePace?.deadline ?? never);
    return Math.min(this.readDeadline, this.writeDeadline, pace);
  }

  expire(now: number): void {
    if (this.writeDeadline <= now || (this.#responsePace?.deadline ?? never) <= now) {
      this.destroy();
      return;
    }
    if (this.readDeadline > now && (this.#bodyPace?.deadline ?? never) > now) return;
    this.readDeadline = never;
    this.#bodyPace?.rest(now);
    if (this.#response.ended) this.#body?.stop();
    else this.#body?.fail(new HttpError(408, 'the request body was not received in time'));
  }

  setPace(of: 'body' | 'response', rule: PaceRule): void {
    if (this.#stream.closed || this.#response.ended) return;
    if (of === 'response') {
      this.#responseRule = rule;
      this.#responsePace?.follow(rule);
    } else this.#bodyPace?.follow(rule);
    this.#place.watchUntil(this.deadline);
  }

  awaitBody(): void {
    if (this.#bodyPace === null) return;
    this.#bodyPace.wait(performance.now());
    this.#place.watchUntil(this.deadline);
  }

  bodyMoved(bytes: number, more: boolean): void {
    const pace = this.#bodyPace;
    if (pace === null) return;
    const now = performance.now();
    pace.moved(now, bytes);
    if (more) pace.wait(now);
    else pace.rest(now);
  }

  awaitRoom(): void {
    this.#responsePace ??= new Pace(this.#responseRule);
    const pending = this.#stream.queued;
    this.#responsePace.waitForRoom(performance.now(), Math.max(0, this.#response.size - pending), pending);
    this.#place.watchUntil(this.deadline);
  }

  /**
   * Starts a deadline if the response has ended but the client has not accepted all of it. Called periodically for all streams instead of
   * after each response, because most responses have been sent by then. WebSockets are exempt, because they may be idle.
   */
  lookAfterUnsent(): void {
    if (!this.#response.ended || this.#tunnel !== null || this.#stream.localEnded) return;
    if ((this.#responsePace?.deadline ?? never) === never) this.awaitRoom();
  }

  roomMade(): void {
    this.#responsePace?.rest(performance.now());
  }

  upgrade(): { readonly socket: Duplex; readonly head: Buffer } | null {
    const body = this.#body;
    if (!this.#webSocket || body === null || !this.#response.openWebSocket()) return null;
    this.readDeadline = this.writeDeadline = never;
    this.#responsePace?.rest(performance.now());
    this.#tunnel = new StreamTunnel(this.#stream, body);
    return { socket: this.#tunnel, head: nothing };
  }

  destroy(): void {
    this.#stream.reset(this.#stream.codes.internalError);
  }

  responded(): void {
    this.readDeadline = never;
    if (this.#body === null || !this.#body.discard()) return;
    this.readDeadline = performance.now() + restTime;
    this.#place.watchUntil(this.deadline);
  }

  onData(bytes: Buffer): void {
    this.#body?.push(bytes);
  }

  onEnd(trailers: HeaderMap | null): void {
    this.readDeadline = never;
    this.#body?.end(trailers);
  }

  onSent(): void {
    if (this.#tunnel === null) this.#response.sent();
    else this.#tunnel.sent();
  }

  onClose(): void {
    this.readDeadline = this.writeDeadline = never;
    if (this.#bodyPace !== null || this.#responsePace !== null) {
      const now = performance.now();
      this.#bodyPace?.rest(now);
      this.#responsePace?.rest(now);
    }
    this.#response.closed();
    if (!this.#response.ended) this.#exchange.abort();
    this.#body?.fail();
    this.#tunnel?.destroy();
  }
}

function expectsContinue(head: RequestHead): boolean {
  return isSameToken(head.headers.get('expect') ?? '', '100-continue');
}
