/** The metrics of a server of one name, kept from one configuration to the next. */
import type { Metrics } from '@sluice/telemetry';
import type { BoundedSet } from '@sluice/threads';
import { RequestFamilies, type MetricsMode } from './families.ts';
import { HostMetrics } from './host-metrics.ts';
import { RouteMeter } from './route-meter.ts';

/** Label of hosts that have no series of their own. */
const otherHost = '_other';

/** Max hosts of a server that get a series without being named by a route, over all threads. */
export const maxObservedHosts = 1000;

/** Hands out meters, and says which host counts under which label. */
export class ServerMetrics {
  readonly name: string;
  readonly mode: MetricsMode;
  readonly #families: RequestFamilies;
  readonly #meters = new Map<string, RouteMeter>();
  /** Hosts that no route names: those that this thread has seen, and those of all threads. */
  readonly #seen = new Set<string>();
  readonly #observed: BoundedSet | null;
  #named: ReadonlySet<string> = new Set();

  /** `observed` has the hosts that no route names; `null` if they are not distinguished. */
  constructor(name: string, mode: MetricsMode, metrics: Metrics, observed: BoundedSet | null) {
    this.name = name;
    this.#observed = observed;
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

  metricsOf(handler: string, label: string): HostMetrics {
    return new HostMetrics(this.#families, this.mode === 'total' ? [handler] : [handler, label], this.name);
  }

  /** The label of a host, which is in lower case and without a port. */
  labelOf(host: string): string {
    if (this.#named.has(host)) return host;
    if (this.#observed === null) return otherHost;
    if (this.#seen.has(host)) return host;
    if (!this.#observed.add(host)) return otherHost;
    this.#seen.add(host);
    return host;
  }
}
