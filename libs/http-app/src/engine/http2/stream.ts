/** One request of an HTTP/2 connection. */
import type { ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { guarded, isSameToken, type Guarded } from '@sluice/base';
import { HttpError } from '../../errors.ts';
import { emptyBody } from '../../exchange/body.ts';
import type { ConnectionInfo } from '../../exchange/connection.ts';
import { Exchange } from '../../exchange/exchange.ts';
import type { RequestHead } from '@sluice/http1';
import type { ServerHandle } from '../server-handle.ts';
import type { SocketFacts } from '../facts.ts';
import { KnownFacts } from '../known-facts.ts';
import { Pace } from '../pace.ts';
import type { PaceRule } from '../../exchange/pace-rule.ts';
import { Http2Body, type BodyWatch } from './body.ts';
import type { Http2Head } from './head.ts';
import { Http2Response, type ResponseWatch } from './response.ts';
import type { Unsent } from './unsent.ts';

const never = Number.POSITIVE_INFINITY;
/** How long the rest of a body may take that is read for no handler, in milliseconds. */
const restTime = 2000;
/** Some clients take a response for complete that ends with CANCEL: Node's raises no error for it. */
const internalError = 2;
const nothing = Buffer.alloc(0);

/** What an exchange belongs to. */
export interface Http2Place {
  readonly facts: SocketFacts;
  readonly unsent: Unsent;
  readonly server: ServerHandle;
}

/** Runs one exchange on a stream. */
export class Http2Exchange extends KnownFacts implements ConnectionInfo, BodyWatch, ResponseWatch, Guarded {
  /** When the body, and when the response, has to be complete; Infinity for no limit. */
  readDeadline = never;
  writeDeadline = never;
  readonly #bodyPace: Pace | null;
  /** `null` before the client was slow. */
  #responsePace: Pace | null = null;
  /** The server's, or that of a handler. */
  #responseRule: PaceRule;
  /** Called when there may be an earlier deadline. */
  onDeadline: ((exchange: Http2Exchange) => void) | null = null;
  readonly #stream: ServerHttp2Stream;
  readonly #exchange: Exchange;
  readonly #response: Http2Response;
  /** For a WebSocket: what comes on the stream, until a handler takes it over. */
  readonly #body: Http2Body | null;
  readonly #webSocket: boolean;

  constructor(stream: ServerHttp2Stream, head: Http2Head, { facts, unsent, server }: Http2Place) {
    super(facts);
    this.#stream = stream;
    this.#body = stream.endAfterHeaders
      ? null
      : new Http2Body(stream, {
          length: lengthOf(head),
          expectsContinue: expectsContinue(head),
          keptNames: server.limits.keptHeaders,
          watch: this,
          owner: this,
        });
    this.#bodyPace = this.#body === null || head.webSocket ? null : new Pace(server.limits.readPace);
    this.#responseRule = server.limits.writePace;
    this.#webSocket = head.webSocket;
    this.#response = new Http2Response(stream, {
      isHead: head.method === 'HEAD',
      isWebSocket: head.webSocket,
      unsent,
      watch: this,
      owner: this,
    });
    const body = head.webSocket ? emptyBody : (this.#body ?? emptyBody);
    this.#exchange = new Exchange(head, this, this.#response, body);
    const { readTimeout, writeTimeout } = server.limits;
    const { startedAt } = this.#exchange;
    if (readTimeout > 0 && body !== emptyBody) this.readDeadline = startedAt + readTimeout;
    if (writeTimeout > 0) this.writeDeadline = startedAt + writeTimeout;
  }

  /** Runs the exchange. */
  run(server: ServerHandle): void {
    const pending = server.handle(this.#exchange);
    // It never rejects, and what it waits for is not ours.
    if (pending !== undefined) void pending;
  }

  /** Whether the response has ended; it may not be sent yet. */
  get hasEnded(): boolean {
    return this.#response.ended;
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
    else this.#body?.fail(new HttpError(408, 'the request body took too long'));
  }

  setPace(of: 'body' | 'response', rule: PaceRule): void {
    if (this.#stream.closed || this.#response.ended) return;
    if (of === 'response') {
      this.#responseRule = rule;
      this.#responsePace?.follow(rule);
    } else this.#bodyPace?.follow(rule);
    this.onDeadline?.(this);
  }

  awaitBody(): void {
    if (this.#bodyPace === null) return;
    this.#bodyPace.wait(performance.now());
    this.onDeadline?.(this);
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
    const pending = this.#stream.writableLength;
    this.#responsePace.waitForRoom(performance.now(), Math.max(0, this.#response.size - pending), pending);
    this.onDeadline?.(this);
  }

  /**
   * Begins to count the time of a client that has not taken a response which ended. Called once in a while for all streams:
   * most responses are gone by then, and cost nothing.
   */
  lookAfterUnsent(): void {
    if (!this.#response.ended || this.#responsePace !== null || this.#stream.writableLength === 0) return;
    this.awaitRoom();
    this.#stream.once(
      'finish',
      guarded(this, () => this.roomMade()),
    );
  }

  roomMade(): void {
    this.#responsePace?.rest(performance.now());
  }

  upgrade(): { readonly socket: Duplex; readonly head: Buffer } | null {
    if (!this.#webSocket || !this.#response.openWebSocket()) return null;
    this.readDeadline = this.writeDeadline = never;
    this.#responsePace?.rest(performance.now());
    return { socket: this.#stream, head: nothing };
  }

  destroy(): void {
    if (!this.#stream.closed) this.#stream.close(internalError);
  }

  answered(): void {
    this.readDeadline = never;
    if (this.#body === null || !this.#body.discard()) return;
    this.readDeadline = performance.now() + restTime;
    this.onDeadline?.(this);
  }

  /** The stream was closed. Called by the connection. */
  closed(): void {
    this.readDeadline = this.writeDeadline = never;
    if (this.#bodyPace !== null || this.#responsePace !== null) {
      const now = performance.now();
      this.#bodyPace?.rest(now);
      this.#responsePace?.rest(now);
    }
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
  return isSameToken(head.headers.get('expect') ?? '', '100-continue');
}
