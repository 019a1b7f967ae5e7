/** Metrics of one server. They survive configuration changes. */
import type { Metrics } from '@sluice/telemetry';
import type { BoundedSet } from '@sluice/threads';
import { RequestFamilies, type MetricsMode } from './families.ts';
import { HostMetrics } from './host-metrics.ts';
import { RouteMeter } from './route-meter.ts';

/** Label value shared by all hosts without separate metrics. */
const otherHost = '_other';

/** Maximum number of hosts per server that have separate metrics although no route names them. All threads share this limit. */
export const maxObservedHosts = 1000;

/** Creates the request meters of a server and maps hosts to labels. */
export class ServerMetrics {
  readonly name: string;
  readonly mode: MetricsMode;
  readonly #families: RequestFamilies;
  readonly #meters = new Map<string, RouteMeter>();
  /** Hosts not named in routes: `#seen` for this thread, `#observed` for all threads. */
  readonly #seen = new Set<string>();
  readonly #observed: BoundedSet | null;
  #named: ReadonlySet<string> = new Set();

  /** `observed` contains the hosts that no route names. If it is `null`, all such hosts share one label. */
  constructor(name: string, mode: MetricsMode, metrics: Metrics, observed: BoundedSet | null) {
    this.name = name;
    this.#observed = observed;
    this.mode = mode;
    this.#families = new RequestFamilies(metrics, mode);
  }

  /** Sets the lowercase host names that occur in routes. Called when a configuration becomes active. */
  nameHosts(hosts: ReadonlySet<string>): void {
    this.#named = hosts;
    for (const meter of this.#meters.values()) meter.forgetHosts();
  }

  /** Returns the meter for all routes that start with a handler of this name. The name is empty for routes without handlers. */
  meter(handler: string): RouteMeter {
    const meter = this.#meters.get(handler) ?? new RouteMeter(this, handler);
    this.#meters.set(handler, meter);
    return meter;
  }

  metricsOf(handler: string, label: string): HostMetrics {
    return new HostMetrics(this.#families, this.mode === 'total' ? [handler] : [handler, label], this.name);
  }

  /** Returns the metrics label of a lowercase host without a port. */
  labelOf(host: string): string {
    if (this.#named.has(host)) return host;
    if (this.#observed === null) return otherHost;
    if (this.#seen.has(host)) return host;
    if (!this.#observed.add(host)) return otherHost;
    this.#seen.add(host);
    return host;
  }
}
