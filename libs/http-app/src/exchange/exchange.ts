/**
 * One request and its response, as seen by handlers. The constructor sets every field, so that V8 uses a single shape.
 * Expensive values are computed on demand.
 */
import { performance } from 'node:perf_hooks';
import { reportFault, unescapePath, type Guarded, type Logger } from '@sluice/base';
import type { Epoch } from '@sluice/reconciler';
import { Attachment, type AttachmentKey } from './attachments.ts';
import { nowhere, type Blame, type HandlerPlace, type Place } from './place.ts';
import { emptyBody, type RequestBody } from './body.ts';
import type { Captures } from './captures.ts';
import type { ConnectionInfo } from './connection.ts';
import type { HeaderMap, RequestHead } from '@sluice/http1';
import type { TallyBlock } from '@sluice/threads';
import type { ResponseWriter } from './response.ts';

/** Runs the rest of the chain after a handler. */
export type Next = (exchange: Exchange) => void | Promise<void>;

/** A change that a canary tries out. */
export interface CanaryScope {
  /** Identifies the rollout. */
  readonly id: string;
  /** Reports whether the change may affect the response to a request at its current position. */
  affects(exchange: Exchange): boolean;
}

export interface ExchangeServer {
  readonly name: string;
  /** Enables HTML error pages in browsers for errors that no route handles. */
  readonly errorPages: boolean;
  /** HTTPS redirects; `null` for none. `comesFirst` reports whether they precede catch-all routes. */
  readonly redirects: { comesFirst(exchange: Exchange): boolean; respond(exchange: Exchange): void } | null;
  /** Time of the planned shutdown, in milliseconds since 1970; 0 means none. */
  readonly shutdownAt: number;
  /** Set while the server serves a share of the requests beside the active configuration. */
  readonly canary?: CanaryScope | null;
  namedRoute(name: string): RouteRunner | undefined;
  clientIp(exchange: Exchange): string;
  isTrustedProxy(exchange: Exchange): boolean;
  /** Runs an exchange until the response has ended or the connection is destroyed. Never throws or rejects. */
  handle(exchange: Exchange): void | Promise<void>;
  /** Records an exception; see {@link Exchange.fault}. Never throws. */
  fail(exchange: Exchange, error: unknown): void;
}

export interface RouteRunner {
  /** Runs the routes, then `next`. */
  enter(exchange: Exchange, next: Next): void | Promise<void>;
}

/** Position of an exchange in the route lists, managed by `routing/`. */
export interface RoutingState {
  cursor: RouteCursor;
  /** Last lookup in a `RouteIndex`, which is often reused. */
  lookup: object | null;
  passes: number;
  /** Names of route groups that already ran a route; see `Route.group`. */
  groups: string[] | null;
}

export interface RouteCursor {
  readonly list: { after(exchange: Exchange, rank: number): void | Promise<void> };
  readonly next: Next;
  readonly outer: RouteCursor | null;
  readonly depth: number;
}

export class Exchange implements Guarded {
  method: string;
  /** `HTTP/1.1`, `HTTP/2.0` or `HTTP/3.0`. */
  readonly proto: string;
  /** Requested host, with the port if given. `headers` may change the host. */
  host: string;
  /** Query without `?`, or `null` if none exists. */
  query: string | null;
  /** Request fields without Host. Handlers may change the fields. */
  readonly headers: HeaderMap;
  readonly connection: ConnectionInfo;
  body: RequestBody;
  /** Writer that handlers write to. A filter replaces it and later restores the previous writer. */
  response: ResponseWriter;
  /** The protocol's writer, below all filters. */
  readonly writer: ResponseWriter;
  /** The body as received, before handlers replace it. */
  readonly arrivingBody: RequestBody;
  /** Method before rewriting. */
  readonly originalMethod: string;
  readonly originalHost: string;
  readonly originalRawPath: string;
  readonly originalQuery: string | null;
  /** The original target, unless it consists of path and query only; otherwise `null`. */
  readonly #originalTarget: string | null;
  /** Time the head was complete, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Server that runs the exchange. Set by the server. */
  server: ExchangeServer | null = null;
  epoch: Epoch | null = null;
  routing: RoutingState | null = null;
  /** Counter of requests in flight while the exchange waits. Set by the statistics. */
  counted: TallyBlock | null = null;
  /** The handler entered last. Set by the chain. */
  place: HandlerPlace | null = null;
  /** The error whose error routes are running; `null` on the primary routes. */
  error: unknown = null;
  aborted = false;
  /** True after the exchange has ended and is no longer counted. Set by the server. */
  over = false;

  #rawPath: string;
  #path: string | null = null;
  #attachments: Attachment | null = null;
  #vars: Map<string, unknown> | null = null;
  #values: Map<string, unknown> | null = null;
  #captures: Map<string, Captures> | null = null;
  #clientIp: string | null = null;
  #errorId: string | null = null;
  #uuid: string | null = null;
  #controller: AbortController | null = null;
  #logFields: Map<string, unknown> | null = null;
  #originalHeaders: HeaderMap | null = null;
  #listeners: ((exchange: Exchange) => void)[] | null = null;
  #blame: Blame | null = null;

  constructor(head: RequestHead, connection: ConnectionInfo, response: ResponseWriter, body: RequestBody = emptyBody) {
    this.method = head.method;
    this.proto = head.proto;
    this.host = head.host;
    this.headers = head.headers;
    this.connection = connection;
    this.body = body;
    this.response = response;
    this.writer = response;
    this.arrivingBody = body;
    this.originalMethod = head.method;
    this.originalHost = head.host;
    this.originalRawPath = head.rawPath;
    this.originalQuery = head.query;
    this.#originalTarget = head.target ?? null;
    this.startedAt = performance.now();
    this.#rawPath = head.rawPath;
    this.query = head.query;
  }

  get rawPath(): string {
    return this.#rawPath;
  }

  set rawPath(value: string) {
    this.#rawPath = value;
    this.#path = null;
  }

  get path(): string {
    return (this.#path ??= this.#rawPath.includes('%') ? unescapePath(this.#rawPath) : this.#rawPath);
  }

  get uri(): string {
    const path = this.#rawPath === '' ? '/' : this.#rawPath;
    return this.query === null ? path : `${path}?${this.query}`;
  }

  /**
   * The original target, which may be absolute or contain characters that {@link uri} escapes. After a rewrite, the
   * URI.
   */
  get target(): string {
    const isRewritten = this.#rawPath !== this.originalRawPath || this.query !== this.originalQuery;
    return isRewritten ? this.uri : (this.#originalTarget ?? this.uri);
  }

  get originalUri(): string {
    return this.originalQuery === null ? this.originalRawPath : `${this.originalRawPath}?${this.originalQuery}`;
  }

  /** Header fields as sent by the client, if a handler called {@link keepOriginalHeaders} before changing them. */
  get originalHeaders(): HeaderMap {
    return this.#originalHeaders ?? this.headers;
  }

  keepOriginalHeaders(): void {
    this.#originalHeaders ??= this.headers.clone();
  }

  /** Address of the client: the peer, unless a trusted proxy reports another address. */
  get clientIp(): string {
    return (this.#clientIp ??= this.server?.clientIp(this) ?? this.connection.remoteAddress);
  }

  /**
   * Returns a variable set by `vars` or another handler; `undefined` if unset. The server sets `client_ip` and
   * `trusted_proxy`.
   */
  variable(name: string): unknown {
    const value = this.#vars?.get(name);
    if (value !== undefined) return value;
    if (name === 'client_ip') return this.clientIp;
    return name === 'trusted_proxy' ? (this.server?.isTrustedProxy(this) ?? false) : undefined;
  }

  setVariable(name: string, value: unknown): void {
    (this.#vars ??= new Map()).set(name, value);
  }

  /** Returns a value that a handler or matcher set, by the full placeholder name, such as `http.regexp.name.1`. */
  placeholder(name: string): unknown {
    const value = this.#values?.get(name);
    return typeof value === 'function' ? (value as () => unknown)() : value;
  }

  /** Reports whether a value is set, without computing it. */
  hasPlaceholder(name: string): boolean {
    return this.#values?.has(name) ?? false;
  }

  /** Sets a value, or a function that computes the value. */
  setPlaceholder(name: string, value: unknown): void {
    (this.#values ??= new Map()).set(name, value);
  }

  /** Returns the captures of a regular expression by name. The empty name selects the latest match. */
  captures(name: string): Captures | undefined {
    return this.#captures?.get(name);
  }

  setCaptures(name: string, captures: Captures): void {
    (this.#captures ??= new Map()).set(name, captures).set('', captures);
  }

  /** Short random ID of the error being handled, for logs and `{http.error.id}`. */
  get errorId(): string {
    return (this.#errorId ??= Math.random().toString(36).slice(2, 11).padEnd(9, '0'));
  }

  /** Random UUID of this request (RFC 9562, version 4), created on first use. The access log then contains it. */
  get uuid(): string {
    if (this.#uuid === null) this.addLogField('uuid', (this.#uuid = crypto.randomUUID()));
    return this.#uuid;
  }

  now(): number {
    return Date.now();
  }

  /** Aborted when the client disconnects or the exchange ends. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get logFields(): ReadonlyMap<string, unknown> | null {
    return this.#logFields;
  }

  addLogField(name: string, value: unknown): void {
    (this.#logFields ??= new Map()).set(name, value);
  }

  attached<T>(key: AttachmentKey<T>): T | undefined {
    return this.#attachments?.get(key);
  }

  attach<T>(key: AttachmentKey<T>, value: T): void {
    if (this.#attachments === null) this.#attachments = new Attachment(key, value);
    else this.#attachments.set(key, value);
  }

  /** Calls back when the exchange is over: served, failed or abandoned. */
  onFinish(listener: (exchange: Exchange) => void): void {
    (this.#listeners ??= []).push(listener);
  }

  abort(): void {
    this.aborted = true;
    this.#controller?.abort();
  }

  /** Records the handler that raised an exception. The first recorded handler is kept. */
  blame(error: unknown, place: Place): void {
    if (this.#blame === null || this.#blame.error !== error) this.#blame = { error, place };
  }

  /**
   * Returns the handler that raised an exception. If none was recorded, for example for a rejected promise, returns the
   * handler entered last.
   */
  placeOf(error: unknown): Place {
    return (this.#blame !== null && this.#blame.error === error ? this.#blame.place : this.place) ?? nowhere;
  }

  /** Called by the server when the exchange has ended. All listeners are called, even if one throws. */
  finish(): void {
    const listeners = this.#listeners;
    if (listeners === null) return;
    this.#listeners = null;
    for (const listener of listeners) {
      try {
        listener(this);
      } catch (error) {
        this.reportFault(error);
      }
    }
  }

  /** Fails the exchange as if its handler had thrown. Error routes run; a response that has begun is cut off. */
  fault(error: unknown): void {
    if (this.over || this.server === null) this.reportFault(error);
    else this.server.fail(this, error);
  }

  /** Reports an exception that doesn't change the response. */
  reportFault(error: unknown, log?: Logger): void {
    reportFault({ part: 'exchange', error, ...(log && { log }), ...this.placeOf(error) });
  }
}
