/** Counts the requests of routes that begin with the same handler. Specialised when routes are compiled. */
import { performance } from 'node:perf_hooks';
import { isAbortError, clientClosedRequest, statusOf } from '../errors.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Next } from '../handler.ts';
import { hostKey } from '../routing/keys.ts';
import type { HostMetrics } from './host-metrics.ts';
import { methodNumber } from './methods.ts';
import { requestSize } from './request-size.ts';
import type { MetricsMode } from './families.ts';

/** What a meter asks of the metrics of its server. */
export interface MeterHost {
  readonly mode: MetricsMode;
  /** Metrics of a handler and a label of hosts. */
  metricsOf(handler: string, label: string): HostMetrics;
  /** The label of a host, which is in lower case and without a port. */
  labelOf(host: string): string;
}

/** Measures. */
export class RouteMeter {
  readonly #server: MeterHost;
  readonly #handler: string;
  readonly #byLabel = new Map<string, HostMetrics>();
  /** By hosts that have a label of their own. */
  readonly #byHost = new Map<string, HostMetrics>();
  /** Metrics of all hosts, where they are not distinguished. */
  readonly #all: HostMetrics | null;
  #lastHost = '';
  #last: HostMetrics | null = null;

  constructor(server: MeterHost, handler: string) {
    this.#server = server;
    this.#handler = handler;
    this.#all = server.mode === 'total' ? server.metricsOf(handler, '') : null;
  }

  /** A route that is counted. */
  meter(route: Next): Next {
    return (exchange) => this.#run(exchange, route);
  }

  /** Looks every host up again. Called when the hosts that have a label of their own have changed. */
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

  /** A request that is cut on purpose is not counted, as in the reference. */
  #failed(exchange: Exchange, metrics: HostMetrics, size: number, error: unknown): void {
    if (isAbortError(error)) {
      metrics.inFlight.add(-1);
      return;
    }
    metrics.failed();
    this.#count(exchange, metrics, size, exchange.aborted ? clientClosedRequest : statusOf(error));
  }

  /** What did not wait was served in one turn of the event loop: its first byte left when all was done. */
  #count({ originalMethod, startedAt, writer }: Exchange, metrics: HostMetrics, size: number, status: number): void {
    const now = performance.now();
    const { headAt } = writer;
    const firstByte = writer.status === 0 ? -1 : (headAt === 0 ? now : headAt) - startedAt;
    metrics.inFlight.add(-1);
    metrics.requests.add(1);
    const outcome = metrics.outcome(methodNumber(originalMethod), status);
    outcome.observe(now - startedAt, firstByte, size, writer.status === 0 ? 0 : writer.size);
  }

  #metricsOf(host: string): HostMetrics {
    if (host === this.#lastHost && this.#last !== null) return this.#last;
    const key = hostKey(host);
    const metrics = this.#byHost.get(key) ?? this.#find(key);
    this.#lastHost = host;
    this.#last = metrics;
    return metrics;
  }

  /** Hosts without a label of their own are not remembered, as there is no end of them. */
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
