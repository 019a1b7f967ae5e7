/**
 * One request and its response, as handlers see them. It is ours, not Node's: HTTP/1.1 and HTTP/2 are engines beneath it.
 * One shape: every field is set in the constructor, and what costs anything is made when it is asked for.
 */
import { performance } from 'node:perf_hooks';
import { reportFault, unescapePath, type Guarded, type Logger } from '@sluice/base';
import type { Epoch } from '@sluice/reconciler';
import { Attachment, type AttachmentKey } from './attachments.ts';
import { nowhere, type Blame, type CountedBlock, type HandlerPlace, type Place } from './place.ts';
import { emptyBody, type RequestBody } from './body.ts';
import type { Captures } from './captures.ts';
import type { ConnectionInfo } from './connection.ts';
import type { HeaderMap, RequestHead } from '@sluice/http1';
import type { ResponseWriter } from './response.ts';
import type { HttpsRedirectsOf, RouteRunnerOf, ServerOf } from './server-of.ts';

/** What an exchange and its handlers see of the server that runs it. */
export type ExchangeServer = ServerOf<Exchange>;
/** A list of routes as a handler sees it that runs one by its name. */
export type RouteRunner = RouteRunnerOf<Exchange>;
/** Redirects to HTTPS, as the routes of a server on the HTTP port see them. */
export type HttpsRedirects = HttpsRedirectsOf<Exchange>;

/** Called once when an exchange is over: served, failed or abandoned. */
export type ExchangeListener = (exchange: Exchange) => void;

/** A request on its way through the handlers of a server. */
export class Exchange implements Guarded {
  /** Current method; `rewrite` may change it. */
  method: string;
  /** Protocol of the request: `HTTP/1.1` … */
  readonly proto: string;
  /** Host as named by the client, with its port if it named one; `headers` may change it. */
  host: string;
  /** Query without `?`; `null` where there is none. */
  query: string | null;
  /** Request fields, without Host. Handlers may change them. */
  readonly headers: HeaderMap;
  readonly connection: ConnectionInfo;
  body: RequestBody;
  /** Where the response goes; a filter puts itself here and puts back what it found when it is done. */
  response: ResponseWriter;
  /** The engine's writer, below all filters. */
  readonly writer: ResponseWriter;

  /** The body as the engine delivers it, below all that handlers put in its place. */
  readonly arrivingBody: RequestBody;

  /** Method, host and target before any rewriting. */
  readonly originalMethod: string;
  readonly originalHost: string;
  readonly originalRawPath: string;
  readonly originalQuery: string | null;
  /** The target as sent, where it is not just path and query; else `null`. */
  readonly #originalTarget: string | null;

  /** When the head was complete, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** The server that runs it, and the epoch it is counted in. Set by the server. */
  server: ExchangeServer | null = null;
  epoch: Epoch | null = null;
  /** Where it is in the route lists. Opaque: the routing alone knows what this is; see `routing/routing-state.ts`. */
  routing: unknown = null;
  /** Where it counts as in flight while it waits. Set by the stats. */
  counted: CountedBlock | null = null;
  /** The handler that was entered last. Set by the chain. */
  place: HandlerPlace | null = null;
  /** The error whose error routes run; `null` on the primary way. */
  error: unknown = null;
  /** Whether the client is gone. */
  aborted = false;
  /** Whether its response is sent or cut, and counted out. Set by the server. */
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
  #listeners: ExchangeListener[] | null = null;
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

  /** The target as the client wrote it: absolute, or with characters that {@link uri} has escaped. Rewritten it is as that. */
  get target(): string {
    const target = this.#originalTarget;
    return target === null || this.#rawPath !== this.originalRawPath || this.query !== this.originalQuery
      ? this.uri
      : target;
  }

  get originalUri(): string {
    return this.originalQuery === null ? this.originalRawPath : `${this.originalRawPath}?${this.originalQuery}`;
  }

  /** The fields as the client sent them, as long as those who change them say so before. */
  get originalHeaders(): HeaderMap {
    return this.#originalHeaders ?? this.headers;
  }

  /** Called before {@link headers} are changed; the access log shows what the client sent. */
  keepOriginalHeaders(): void {
    this.#originalHeaders ??= this.headers.clone();
  }

  /** Undoes rewriting of method and target, for error routes. */
  restoreRequest(): void {
    this.method = this.originalMethod;
    this.rawPath = this.originalRawPath;
    this.query = this.originalQuery;
  }

  /** The address of the client; that of the peer unless a trusted proxy names another. */
  get clientIp(): string {
    return (this.#clientIp ??= this.server?.clientIp(this) ?? this.connection.remoteAddress);
  }

  /** A variable set by `vars` or another handler; `undefined` if it is not set. The server's own are `client_ip` and `trusted_proxy`. */
  variable(name: string): unknown {
    const value = this.#vars?.get(name);
    if (value !== undefined) return value;
    if (name === 'client_ip') return this.clientIp;
    return name === 'trusted_proxy' ? (this.server?.isTrustedProxy(this) ?? false) : undefined;
  }

  setVariable(name: string, value: unknown): void {
    (this.#vars ??= new Map()).set(name, value);
  }

  /** A value that a handler or matcher gave a placeholder, by its full name; functions are called when asked. */
  placeholder(name: string): unknown {
    const value = this.#values?.get(name);
    return typeof value === 'function' ? (value as () => unknown)() : value;
  }

  /** Reports whether a placeholder was given a value, without making it: it may be made of itself. */
  hasPlaceholder(name: string): boolean {
    return this.#values?.has(name) ?? false;
  }

  /** Gives a placeholder a value, or a function that makes it: `http.regexp.name.1`. */
  setPlaceholder(name: string, value: unknown): void {
    (this.#values ??= new Map()).set(name, value);
  }

  /** Captures of a regular expression that matched under this name; the empty name is the latest. */
  captures(name: string): Captures | undefined {
    return this.#captures?.get(name);
  }

  /** Keeps the captures of a match for `{http.regexp.<name>.<group>}`. */
  setCaptures(name: string, captures: Captures): void {
    this.#captures ??= new Map();
    this.#captures.set(name, captures);
    if (name !== '') this.#captures.set('', captures);
  }

  /** A short random name of the error that is handled, for logs and `{http.error.id}`. */
  get errorId(): string {
    return (this.#errorId ??= Math.random().toString(36).slice(2, 11).padEnd(9, '0'));
  }

  /** A random UUID of this request (RFC 9562, version 4), the same whenever asked; the access log has it then. */
  get uuid(): string {
    if (this.#uuid === null) {
      this.#uuid = crypto.randomUUID();
      this.addLogField('uuid', this.#uuid);
    }
    return this.#uuid;
  }

  /** The time, in milliseconds since 1970, as placeholders tell it. */
  now(): number {
    return Date.now();
  }

  /** Aborted when the client goes away or the exchange is over. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Fields that handlers added for the access log; `null` if there are none. */
  get logFields(): ReadonlyMap<string, unknown> | null {
    return this.#logFields;
  }

  /** Adds a field to the access log entry. */
  addLogField(name: string, value: unknown): void {
    (this.#logFields ??= new Map()).set(name, value);
  }

  /** What a module attached under a key; `undefined` if none did. */
  attached<T>(key: AttachmentKey<T>): T | undefined {
    return this.#attachments?.get(key);
  }

  /** Attaches what a module wants to find again, such as the reverse proxy its upstream; it replaces what was there. */
  attach<T>(key: AttachmentKey<T>, value: T): void {
    if (this.#attachments === null) this.#attachments = new Attachment(key, value);
    else this.#attachments.set(key, value);
  }

  /** Calls back when the exchange is over, in the order of registration. */
  onFinish(listener: ExchangeListener): void {
    (this.#listeners ??= []).push(listener);
  }

  /** Called by the engine when the client is gone. */
  abort(): void {
    this.aborted = true;
    this.#controller?.abort();
  }

  /** Notes where an exception was thrown; of several places the first one counts. */
  blame(error: unknown, place: Place): void {
    if (this.#blame === null || this.#blame.error !== error) this.#blame = { error, place };
  }

  /** Where an exception was thrown; if nothing noted that, as where a promise rejected, the handler that was entered last. */
  placeOf(error: unknown): Place {
    const blame = this.#blame;
    return (blame !== null && blame.error === error ? blame.place : this.place) ?? nowhere;
  }

  /** Called by the server when the exchange is over. One listener that throws does not keep the others from being called. */
  finish(): void {
    const listeners = this.#listeners;
    this.#listeners = null;
    if (listeners !== null) for (const listener of listeners) this.#tell(listener);
  }

  #tell(listener: ExchangeListener): void {
    try {
      listener(this);
    } catch (error) {
      this.reportFault(error);
    }
  }

  /**
   * Fails the exchange by what a callback of it has thrown (`guarded(exchange, …)`), as if its handler had: error routes run;
   * a response that has begun is cut.
   */
  fault(error: unknown): void {
    if (this.over || this.server === null) this.reportFault(error);
    else this.server.fail(this, error);
  }

  /** Says that something of this exchange threw where no handler hears of it, and that it goes on regardless. */
  reportFault(error: unknown, log?: Logger): void {
    reportFault({ part: 'exchange', error, ...(log && { log }), ...this.placeOf(error) });
  }
}
