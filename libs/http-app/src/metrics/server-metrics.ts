/** The metrics of a server of one name, kept from one configuration to the next. */
import type { Metrics } from '@sluice/telemetry';
import { RequestFamilies, type MetricsMode } from './families.ts';
import { HostMetrics } from './host-metrics.ts';
import { RouteMeter } from './route-meter.ts';

/** Label of hosts that have no series of their own. */
const otherHost = '_other';

/** Most hosts that get a series without being named by a route. */
const maxObservedHosts = 1000;

/** Hands out meters, and says which host counts under which label. */
export class ServerMetrics {
  readonly name: string;
  readonly mode: MetricsMode;
  readonly #families: RequestFamilies;
  readonly #meters = new Map<string, RouteMeter>();
  readonly #observed = new Set<string>();
  #named: ReadonlySet<string> = new Set();

  constructor(name: string, mode: MetricsMode, metrics: Metrics) {
    this.name = name;
    this.mode = mode;
    this.#families = new RequestFamilies(metrics, mode);
  }

  /** Sets the hosts that routes name, in lower case. Called when a configuration comes into force. */
  nameHosts(hosts: ReadonlySet<string>): void {
    this.#named = hosts;
    for (const meter of this.#meters.values()) meter.forgetHosts();
  }

  /** The meter of the routes whose first handler is of this name; empty for routes without handlers. */
  meter(handler: string): RouteMeter {
    const meter = this.#meters.get(handler) ?? new RouteMeter(this, handler);
    this.#meters.set(handler, meter);
    return meter;
  }

  /** Metrics of a handler and a label of hosts. */
  metricsOf(handler: string, label: string): HostMetrics {
    return new HostMetrics(this.#families, this.mode === 'total' ? [handler] : [handler, label], this.name);
  }

  /** The label of a host, which is in lower case and without a port. */
  labelOf(host: string): string {
    if (this.#named.has(host)) return host;
    if (this.mode === 'host') return otherHost;
    if (!this.#observed.has(host)) {
      if (this.#observed.size >= maxObservedHosts) return otherHost;
      this.#observed.add(host);
    }
    return host;
  }
}
