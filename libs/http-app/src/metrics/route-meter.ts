/** Records metrics for all routes that begin with the same handler. */
import { performance } from 'node:perf_hooks';
import { clientClosedRequest, isAbortError, isClientGoneError, statusOf } from '../errors.ts';
import type { Exchange, Next } from '../exchange/exchange.ts';
import { hostKey } from '../routing/keys.ts';
import type { HostMetrics } from './host-metrics.ts';
import { methodNumber } from './methods.ts';
import { requestSize } from './request-size.ts';
import type { MetricsMode } from './families.ts';

export interface MeterHost {
  readonly mode: MetricsMode;
  metricsOf(handler: string, label: string): HostMetrics;
  /** Returns the metrics label of a lowercase host without a port. */
  labelOf(host: string): string;
}

/** Measures the requests of a route. */
export class RouteMeter {
  readonly #server: MeterHost;
  readonly #handler: string;
  readonly #byLabel = new Map<string, HostMetrics>();
  /** Metrics by host, for hosts that have a label of their own. */
  readonly #byHost = new Map<string, HostMetrics>();
  /** Metrics of all hosts together, used if hosts have no separate labels. Otherwise `null`. */
  readonly #all: HostMetrics | null;
  #lastHost = '';
  #last: HostMetrics | null = null;

  constructor(server: MeterHost, handler: string) {
    this.#server = server;
    this.#handler = handler;
    this.#all = server.mode === 'total' ? server.metricsOf(handler, '') : null;
  }

  meter(route: Next): Next {
    return (exchange) => this.#run(exchange, route);
  }

  /** Clears the host cache after the set of hosts with separate labels has changed. */
  forgetHosts(): void {
    this.#byHost.clear();
    this.#lastHost = '';
    this.#last = null;
  }

  #run(exchange: Exchange, route: Next): void | Promise<void> {
    const metrics = this.#all ?? this.#metricsOf(exchange.host);
    const size = requestSize(exchange);
    metrics.inFlight.add(1);
    let pending: void | Promise<void>;
    try {
      pending = route(exchange);
    } catch (error) {
      this.#failed(exchange, metrics, size, error);
      throw error;
    }
    if (pending !== undefined) return this.#later(exchange, metrics, size, pending);
    this.#done(exchange, metrics, size);
  }

  async #later(exchange: Exchange, metrics: HostMetrics, size: number, pending: Promise<void>): Promise<void> {
    const { writer } = exchange;
    if (writer.status === 0) writer.timed = true;
    else if (writer.headAt === 0) writer.headAt = performance.now();
    try {
      await pending;
    } catch (error) {
      this.#failed(exchange, metrics, size, error);
      throw error;
    }
    this.#done(exchange, metrics, size);
  }

  #done(exchange: Exchange, metrics: HostMetrics, size: number): void {
    const { status } = exchange.writer;
    this.#count(exchange, metrics, size, status === 0 ? 200 : status);
  }

  /**
   * As in Caddy, an incomplete response is recorded only in the time to first byte, and a client disconnect doesn't count as an error. If
   * there is no response, the status is 499.
   */
  #failed(exchange: Exchange, metrics: HostMetrics, size: number, error: unknown): void {
    const { status } = exchange.writer;
    if (isAbortError(error)) {
      metrics.inFlight.add(-1);
      if (status !== 0) this.#countStart(exchange, metrics, status, performance.now());
    } else if (exchange.aborted || isClientGoneError(error))
      this.#count(exchange, metrics, size, status === 0 ? clientClosedRequest : status);
    else {
      metrics.failed();
      this.#count(exchange, metrics, size, statusOf(error));
    }
  }

  #count(exchange: Exchange, metrics: HostMetrics, size: number, status: number): void {
    const { originalMethod, startedAt, writer } = exchange;
    const now = performance.now();
    metrics.inFlight.add(-1);
    metrics.requests.add(1);
    const outcome = metrics.outcome(methodNumber(originalMethod), status);
    outcome.observe(now - startedAt, size, writer.status === 0 ? 0 : writer.size);
    // The error routes write the error response, so this route doesn't record the time to first byte.
    if (writer.status !== 0 || status === clientClosedRequest) this.#countStart(exchange, metrics, status, now);
  }

  /** If the handler ran synchronously, the first byte is sent at the end of the event loop turn. */
  #countStart(
    { originalMethod, startedAt, writer }: Exchange,
    metrics: HostMetrics,
    status: number,
    now: number,
  ): void {
    const startAt = writer.headAt === 0 ? now : writer.headAt;
    metrics.outcome(methodNumber(originalMethod), status).observeFirstByte(startAt - startedAt);
  }

  #metricsOf(host: string): HostMetrics {
    if (host === this.#lastHost && this.#last !== null) return this.#last;
    const key = hostKey(host);
    const metrics = this.#byHost.get(key) ?? this.#find(key);
    this.#lastHost = host;
    this.#last = metrics;
    return metrics;
  }

  /** Hosts without a separate label are not cached, because clients can send any number of them. */
  #find(host: string): HostMetrics {
    const label = this.#server.labelOf(host);
    let metrics = this.#byLabel.get(label);
    if (metrics === undefined) {
      metrics = this.#server.metricsOf(this.#handler, label);
      this.#byLabel.set(label, metrics);
    }
    if (label === host) this.#byHost.set(host, metrics);
    return metrics;
  }
}
