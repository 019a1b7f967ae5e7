/**
 * A request and its response, for use by handlers. The constructor sets every field, so that V8 uses a single object shape. Expensive
 * values are computed on demand.
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

/** Runs the rest of the handler chain after a handler. */
export type Next = (exchange: Exchange) => void | Promise<void>;

/** The change that a canary is testing. */
export interface CanaryScope {
  /** Identifies the rollout. */
  readonly id: string;
  /** Reports whether the change may affect the response to a request. The result depends on the request's current position in the routes. */
  affects(exchange: Exchange): boolean;
}

export interface ExchangeServer {
  readonly name: string;
  /** True to send HTML error pages to browsers for errors that no route handles. */
  readonly errorPages: boolean;
  /** HTTPS redirects. `null` if there are none. `comesFirst` reports whether the redirect precedes catch-all routes. */
  readonly redirects: { comesFirst(exchange: Exchange): boolean; respond(exchange: Exchange): void } | null;
  /** Time of the planned shutdown, in milliseconds since 1970. 0 if no shutdown is planned. */
  readonly shutdownAt: number;
  /** Set while the server runs as a canary and serves a share of the requests. */
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
  /** Runs the routes and then calls `next`. */
  enter(exchange: Exchange, next: Next): void | Promise<void>;
}

/** Position of an exchange in the route lists. The code in `routing/` manages this state. */
export interface RoutingState {
  cursor: RouteCursor;
  /** Most recent lookup in a `RouteIndex`. Later lookups can often reuse it. */
  lookup: object | null;
  passes: number;
  /** Names of route groups in which one route has already run; see `Route.group`. */
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
  /** HTTP version: `HTTP/1.1`, `HTTP/2.0`, or `HTTP/3.0`. */
  readonly proto: string;
  /** Requested host, including the port if the client sent one. Header operations may change the host. */
  host: string;
  /** Query string without the `?`. `null` if there is none. */
  query: string | null;
  /** Request headers, without `Host`. Handlers may change them. */
  readonly headers: HeaderMap;
  readonly connection: ConnectionInfo;
  body: RequestBody;
  /** Response writer for handlers. A filter replaces the writer and later restores the previous one. */
  response: ResponseWriter;
  /** Response writer of the HTTP engine, below all filters. */
  readonly writer: ResponseWriter;
  /** Request body as received, before handlers replace it. */
  readonly arrivingBody: RequestBody;
  /** Method before rewriting. */
  readonly originalMethod: string;
  readonly originalHost: string;
  readonly originalRawPath: string;
  readonly originalQuery: string | null;
  /** Original request target. `null` if it consists only of a path and a query. */
  readonly #originalTarget: string | null;
  /** Time at which the request headers were complete, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Server that runs the exchange. The server sets this field. */
  server: ExchangeServer | null = null;
  epoch: Epoch | null = null;
  routing: RoutingState | null = null;
  /** Counter of requests in flight that includes this exchange while the exchange waits. The statistics code sets this field. */
  counted: TallyBlock | null = null;
  /** Most recently entered handler. The handler chain sets this field. */
  place: HandlerPlace | null = null;
  /** Error that the running error routes are handling. `null` while the primary routes run. */
  error: unknown = null;
  aborted = false;
  /** True after the exchange has ended and is no longer counted. The server sets this field. */
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

  /** Original request target. It may be absolute or contain characters that {@link uri} escapes. After a rewrite, this is the rewritten URI. */
  get target(): string {
    const isRewritten = this.#rawPath !== this.originalRawPath || this.query !== this.originalQuery;
    return isRewritten ? this.uri : (this.#originalTarget ?? this.uri);
  }

  get originalUri(): string {
    return this.originalQuery === null ? this.originalRawPath : `${this.originalRawPath}?${this.originalQuery}`;
  }

  /** Request headers as the client sent them. Requires that a handler called {@link keepOriginalHeaders} before changing them. */
  get originalHeaders(): HeaderMap {
    return this.#originalHeaders ?? this.headers;
  }

  keepOriginalHeaders(): void {
    this.#originalHeaders ??= this.headers.clone();
  }

  /** Client IP address. This is the address of the peer, unless a trusted proxy reports a different address. */
  get clientIp(): string {
    return (this.#clientIp ??= this.server?.clientIp(this) ?? this.connection.remoteAddress);
  }

  /** Returns a variable that `vars` or another handler has set, or `undefined`. The server sets `client_ip` and `trusted_proxy`. */
  variable(name: string): unknown {
    const value = this.#vars?.get(name);
    if (value !== undefined) return value;
    if (name === 'client_ip') return this.clientIp;
    return name === 'trusted_proxy' ? (this.server?.isTrustedProxy(this) ?? false) : undefined;
  }

  setVariable(name: string, value: unknown): void {
    (this.#vars ??= new Map()).set(name, value);
  }

  /** Returns a placeholder value that a handler or matcher has set. `name` is the full placeholder name, such as `http.regexp.name.1`. */
  placeholder(name: string): unknown {
    const value = this.#values?.get(name);
    return typeof value === 'function' ? (value as () => unknown)() : value;
  }

  /** Reports whether a placeholder value is set, without computing the value. */
  hasPlaceholder(name: string): boolean {
    return this.#values?.has(name) ?? false;
  }

  /** Sets a placeholder value, or a function that computes the value. */
  setPlaceholder(name: string, value: unknown): void {
    (this.#values ??= new Map()).set(name, value);
  }

  /** Returns the captures of a named regular expression. An empty name returns the captures of the most recent match. */
  captures(name: string): Captures | undefined {
    return this.#captures?.get(name);
  }

  setCaptures(name: string, captures: Captures): void {
    (this.#captures ??= new Map()).set(name, captures).set('', captures);
  }

  /** Short random ID of the error being handled. Logs and `{http.error.id}` contain this ID. */
  get errorId(): string {
    return (this.#errorId ??= Math.random().toString(36).slice(2, 11).padEnd(9, '0'));
  }

  /** Random UUID of the request (RFC 9562, version 4), created on first use. Included in the access log once created. */
  get uuid(): string {
    if (this.#uuid === null) this.addLogField('uuid', (this.#uuid = crypto.randomUUID()));
    return this.#uuid;
  }

  now(): number {
    return Date.now();
  }

  /** Signal that is aborted when the client disconnects or the exchange ends. */
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

  /** Registers a callback that runs when the exchange ends, regardless of whether it was served, failed, or was abandoned. */
  onFinish(listener: (exchange: Exchange) => void): void {
    (this.#listeners ??= []).push(listener);
  }

  abort(): void {
    this.aborted = true;
    this.#controller?.abort();
  }

  /** Records which handler threw an exception. If a handler is already recorded for the exception, keeps that handler. */
  blame(error: unknown, place: Place): void {
    if (this.#blame === null || this.#blame.error !== error) this.#blame = { error, place };
  }

  /**
   * Returns the handler that threw an exception. If none was recorded, for example for a rejected promise, returns the most recently
   * entered handler.
   */
  placeOf(error: unknown): Place {
    return (this.#blame !== null && this.#blame.error === error ? this.#blame.place : this.place) ?? nowhere;
  }

  /** Called by the server when the exchange has ended. Calls all listeners, even if one of them throws. */
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

  /**
   * Fails the exchange as if its handler had thrown the exception. Runs error routes. If the response has already started, the response is
   * aborted.
   */
  fault(error: unknown): void {
    if (this.over || this.server === null) this.reportFault(error);
    else this.server.fail(this, error);
  }

  /** Reports an exception that does not change the response. */
  reportFault(error: unknown, log?: Logger): void {
    reportFault({ part: 'exchange', error, ...(log && { log }), ...this.placeOf(error) });
  }
}
