/** An HTTP server of one configuration. Runs exchanges through its routes, and errors through its error routes. */
import { listenerKey, messageOf, silentLogger, type NetworkAddress } from '@sluice/base';
import type { EpochTracker } from '@sluice/reconciler';
import type { HttpChallenges } from '@sluice/contracts';
import { isOnPort } from '../automatic-https/decision.ts';
import type { Redirects } from '../automatic-https/redirects.ts';
import { isAbortError, isClientGoneError, isCutError, isUnexpected } from '../errors.ts';
import { hostOf } from '../exchange/authority.ts';
import type { CanaryScope, Exchange, Next } from '../exchange/exchange.ts';
import { placeOutside, type HandlerPlace } from '../exchange/place.ts';
import type { ServerMetrics } from '../metrics/server-metrics.ts';
import type { Listener } from '../listener/listener.ts';
import { endOfChain } from '../routing/chain.ts';
import { respondToError } from '../routing/error-page.ts';
import { Cursor, startRouting } from '../routing/routing-state.ts';
import { checkSniHost, type Security } from '../tls/security.ts';
import type { Probe } from '../routing/probe.ts';
import type { RouteList } from '../routing/route-list.ts';
import type { RequestSampler } from '../stats/request-sampler.ts';
import type { RequestStats } from '../stats/request-stats.ts';
import { watchedRoutes } from './watched-routes.ts';
import type { Addressed } from '../exchange/addressed.ts';
import type { ClientAddress } from './client-address.ts';
import type { SideMeter } from '../canary/side-meter.ts';
import { noLogs, type RequestErrors, type RequestLogs } from './request-logs.ts';
import type { ServerHandle, ServerLimits } from '../engine/server-handle.ts';

export interface ServerParts {
  readonly name: string;
  readonly limits: ServerLimits;
  readonly protocols: readonly string[];
  readonly routes: RouteList;
  readonly errors: RouteList | null;
  readonly namedRoutes: ReadonlyMap<string, RouteList>;
  readonly clientAddress: ClientAddress;
  readonly listeners: readonly Listener[];
  /** All addresses of the server, even in a thread that listens on none of them. */
  readonly networkAddresses: readonly NetworkAddress[];
  readonly security: Security;
  /** The HTTP port, which never uses TLS. */
  readonly httpPort: number;
  /** True if listener wrappers read from connections before the server does. */
  readonly isWrapped: boolean;
  /** Request metrics; `null` if metrics are off. */
  readonly metrics: ServerMetrics | null;
  readonly logs: RequestLogs;
  /** Request statistics; `null` if requests are not counted. */
  readonly stats: RequestStats | null;
  /** Sampler that records requests; `null` if no requests are recorded. */
  readonly sampler: RequestSampler | null;
  readonly epochs: EpochTracker;
  /** True if browsers get an HTML page for errors that no route handles. */
  readonly errorPages: boolean;
  /** `Alt-Svc` value (RFC 7838) for TLS responses over HTTP/1 and HTTP/2; `null` if HTTP/3 is not served. */
  readonly alternative: string | null;
}

/** Runs exchanges through the routes of one configuration. Immutable except for the shutdown time. */
export class Server implements ServerHandle {
  readonly name: string;
  readonly limits: ServerLimits;
  readonly protocols: readonly string[];
  readonly routes: RouteList;
  readonly errors: RouteList | null;
  readonly listeners: readonly Listener[];
  readonly networkAddresses: readonly NetworkAddress[];
  /** Listener keys of the addresses in {@link networkAddresses}. */
  readonly addresses: readonly string[];
  readonly security: Security;
  /** HTTPS redirects for unhandled requests on the HTTP port. Set when the configuration becomes active. */
  redirects: Redirects | null = null;
  /** Counter of requests while a canary is running; otherwise `null`. */
  sideMeter: SideMeter | null = null;
  canary: CanaryScope | null = null;
  readonly #challenges: HttpChallenges;
  readonly #strictSniHost: boolean;
  readonly metrics: ServerMetrics | null;
  shutdownAt = 0;
  #namedRoutes: ReadonlyMap<string, RouteList>;
  readonly #clientAddress: ClientAddress;
  readonly #logs: RequestLogs;
  readonly #stats: RequestStats | null;
  readonly #sampler: RequestSampler | null;
  /** Counter for requests that didn't enter any handler. */
  readonly #outside: HandlerPlace = placeOutside();
  readonly #epochs: EpochTracker;
  readonly errorPages: boolean;
  readonly #alternative: string | null;
  /** Route list for requests: either {@link routes} or its instrumented variant. */
  #walked: RouteList;
  #errors: RouteList | null;
  #start: Cursor;
  readonly #parts: ServerParts;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.limits = parts.limits;
    this.protocols = parts.protocols;
    this.routes = parts.routes;
    this.errors = parts.errors;
    this.listeners = parts.listeners;
    this.networkAddresses = parts.networkAddresses;
    this.addresses = parts.networkAddresses.map(listenerKey);
    this.security = parts.security;
    this.#challenges = parts.security.challenges;
    this.#strictSniHost = parts.security.strictSniHost;
    this.metrics = parts.metrics;
    this.#namedRoutes = parts.namedRoutes;
    this.#clientAddress = parts.clientAddress;
    this.#logs = parts.logs;
    this.#stats = parts.stats;
    this.#sampler = parts.sampler;
    this.#epochs = parts.epochs;
    this.errorPages = parts.errorPages;
    this.#alternative = parts.alternative;
    this.#walked = parts.routes;
    this.#errors = parts.errors;
    this.#start = new Cursor(parts.routes, this.#endOfRoutes, null);
  }

  /** Observes new requests with a probe; `null` stops the observation. Requests in flight continue in the chain in which they started. */
  watch(probe: Probe | null): void {
    const { routes, errors, namedRoutes } = probe === null ? this.#parts : watchedRoutes(this.#parts, probe);
    this.#walked = routes;
    this.#errors = errors;
    this.#namedRoutes = namedRoutes;
    this.#start = new Cursor(routes, this.#endOfRoutes, null);
  }

  /** Reports whether connections to an address start with TLS. Returns `null` if listener wrappers decide. */
  speaksTls(address: NetworkAddress): boolean | null {
    const { isWrapped, httpPort, security } = this.#parts;
    return isWrapped ? null : security.termination !== null && !isOnPort(address, httpPort);
  }

  /** Returns a server for simulated requests. It shares all module instances but has no logs or metrics. */
  rehearsed(probe: Probe, redirects: Redirects | null): Server {
    const server = new Server({
      ...this.#parts,
      ...watchedRoutes(this.#parts, probe),
      metrics: null,
      logs: noLogs,
      stats: null,
      sampler: null,
    });
    server.redirects = redirects;
    return server;
  }

  handle(exchange: Exchange): void | Promise<void> {
    const epoch = this.#epochs.current;
    epoch.enter();
    exchange.server = this;
    exchange.epoch = epoch;
    if (this.#alternative !== null) this.#advertise(exchange, this.#alternative);
    const sampler = this.#sampler;
    if (sampler !== null && --sampler.left === 0) sampler.take(exchange);
    startRouting(exchange, this.#start);
    try {
      const pending =
        this.#challenges.open && this.#challenges.covers(exchange.path)
          ? this.#challenged(exchange)
          : this.#walk(exchange);
      if (pending !== undefined) return this.#later(exchange, pending);
    } catch (error) {
      return this.#fail(exchange, error);
    }
    this.#finish(exchange);
  }

  /** Adds an `Alt-Svc` field that advertises HTTP/3 to TLS clients. */
  #advertise({ connection: { tls }, response }: Exchange, alternative: string): void {
    if (tls !== null && tls.protocol !== 'h3') response.headers.set('alt-svc', alternative);
  }

  fail(exchange: Exchange, error: unknown): void {
    const pending = this.#fail(exchange, error);
    // Abort the exchange, because handlers may wait for events that never occur in a simulated request. The pending promise never rejects.
    if (pending === undefined) exchange.abort();
    else void pending.then(() => exchange.abort());
  }

  namedRoute(name: string): RouteList | undefined {
    return this.#namedRoutes.get(name);
  }

  clientIp(exchange: Addressed): string {
    return this.#clientAddress.of(exchange);
  }

  isTrustedProxy(exchange: Exchange): boolean {
    return this.#clientAddress.isTrusted(exchange);
  }

  #walk(exchange: Exchange): void | Promise<void> {
    if (this.#strictSniHost) checkSniHost(exchange);
    return this.#walked.after(exchange, Number.NEGATIVE_INFINITY);
  }

  /** Responds to an HTTP-01 validation request from a certificate authority. Other requests for this path are handled normally. */
  #challenged(exchange: Exchange): void | Promise<void> {
    const response = this.#challenges.response(hostOf(exchange.host), exchange.path);
    const respond = (body: string | null): void | Promise<void> => {
      if (body === null) return this.#walk(exchange);
      exchange.response.headers.set('content-type', 'text/plain');
      exchange.response.end(body);
    };
    return response instanceof Promise ? response.then(respond) : respond(response);
  }

  readonly #endOfRoutes: Next = (exchange) => {
    if (this.redirects === null || exchange.connection.tls !== null || exchange.response.status !== 0)
      return endOfChain(exchange);
    this.redirects.respond(exchange);
  };

  #later(exchange: Exchange, pending: Promise<void>): Promise<void> {
    this.#stats?.enter(exchange, exchange.place ?? this.#outside);
    return pending.then(
      () => this.#finish(exchange),
      (error: unknown) => this.#fail(exchange, error),
    );
  }

  /** Handles an error from the primary routes. Runs the error routes, or sends the error status with an empty body. */
  #fail(exchange: Exchange, thrown: unknown): void | Promise<void> {
    // A callback may already have failed this exchange.
    if (exchange.over) return;
    // `null` means no error, so replace a thrown `null` with an `Error`.
    const error = thrown ?? new Error(`a handler threw ${String(thrown)}`);
    exchange.response = exchange.writer;
    if (isUnexpected(error)) exchange.reportFault(error, silentLogger);
    if (isCutError(error) && !exchange.aborted) exchange.writer.broken = error.message;
    if (isAbortError(error) || isClientGoneError(error) || exchange.aborted) return this.#cut(exchange);
    exchange.error = error;
    const routes = this.#errors;
    if (routes === null || exchange.writer.status !== 0) {
      this.#logError(exchange, error, false);
      if (exchange.writer.status === 0) return this.#finish(exchange);
      exchange.writer.broken = messageOf(error);
      return this.#cut(exchange);
    }
    exchange.method = exchange.originalMethod;
    exchange.rawPath = exchange.originalRawPath;
    exchange.query = exchange.originalQuery;
    startRouting(exchange, new Cursor(routes, endOfChain, null));
    return this.#runErrorRoutes(exchange, routes, error);
  }

  async #runErrorRoutes(exchange: Exchange, routes: RouteList, error: unknown): Promise<void> {
    // Count the request for the handler that failed.
    const { place } = exchange;
    this.#stats?.enter(exchange, place ?? this.#outside);
    const responds = await this.#respondByRoutes(exchange, routes, error);
    if (exchange.over) return;
    exchange.place = place;
    if (responds) this.#finish(exchange);
    else this.#cut(exchange);
  }

  /** Runs the error routes. Resolves to false if the response can't be completed. Never rejects. */
  async #respondByRoutes(exchange: Exchange, routes: RouteList, error: unknown): Promise<boolean> {
    try {
      await routes.after(exchange, Number.NEGATIVE_INFINITY);
      this.#logError(exchange, error, true);
    } catch (second) {
      if (exchange.over) return true;
      exchange.response = exchange.writer;
      if (isUnexpected(second)) exchange.reportFault(second, silentLogger);
      if (isAbortError(second) || exchange.aborted) return false;
      this.#log(exchange, (errors) => errors.writeSecond(exchange, error, second));
      return exchange.writer.status === 0;
    }
    return true;
  }

  #logError(exchange: Exchange, error: unknown, handled: boolean): void {
    this.#log(exchange, (errors) => errors.write(exchange, error, handled));
  }

  #log(exchange: Exchange, write: (errors: RequestErrors) => void): void {
    try {
      write(this.#logs.errors);
    } catch (problem) {
      exchange.reportFault(problem);
    }
  }

  /** Completes a response that no handler has completed. Uses the status of the handled error, or an empty 200 response. */
  #finish(exchange: Exchange): void {
    if (exchange.over) return;
    const { writer } = exchange;
    const responded = writer.status >= 200 || writer.ended || exchange.error !== null;
    try {
      if (!writer.ended) {
        if (writer.status === 0 && exchange.error !== null) respondToError(exchange, writer, this.errorPages);
        if (!writer.ended) writer.end();
      }
    } catch (error) {
      exchange.reportFault(error);
      this.#cut(exchange);
      return;
    }
    this.#done(exchange, responded);
  }

  #cut(exchange: Exchange): void {
    try {
      exchange.connection.destroy();
    } catch (error) {
      exchange.reportFault(error);
    }
    this.#done(exchange, true);
  }

  #done(exchange: Exchange, responded: boolean): void {
    exchange.over = true;
    // Handler errors were already logged when they were thrown.
    if (exchange.writer.broken !== '' && exchange.error === null)
      this.#log(exchange, (errors) => errors.writeCut(exchange));
    this.#stats?.count(exchange, exchange.place ?? this.#outside);
    if (this.sideMeter !== null) this.sideMeter.count(exchange);
    exchange.finish();
    try {
      this.#logs.access?.write(exchange, responded);
    } catch (error) {
      exchange.reportFault(error);
    }
    exchange.epoch?.leave();
  }
}
