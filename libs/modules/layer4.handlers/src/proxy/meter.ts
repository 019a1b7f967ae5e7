/** Metrics of the layer 4 proxy. */
import { declareCounter, declareGauge, metricsToken, type Family } from '@sluice/telemetry';
import type { Context } from '@sluice/registry';
import type { Candidate } from './candidate.ts';

/** Counter of proxied connections. */
export const proxiedConnections = declareCounter(
  'caddy_layer4_proxy_connections_total',
  'Total number of connections proxied to an upstream.',
  ['upstream'],
);
/** Gauge of currently proxied connections. */
export const activeConnections = declareGauge(
  'caddy_layer4_proxy_active_connections',
  'Number of connections currently being proxied to an upstream.',
  ['upstream'],
);
/** Gauge of active health check results. */
export const upstreamHealthy = declareGauge(
  'caddy_layer4_proxy_upstream_healthy',
  '1 if active health checks consider the upstream healthy, otherwise 0.',
  ['upstream'],
);

/** Connection metrics of one thread. */
export class ProxyMeter {
  readonly #total: Family;
  readonly #active: Family;

  constructor(total: Family, active: Family) {
    this.#total = total;
    this.#active = active;
  }

  opened(upstream: string): void {
    this.#total.with(upstream).add();
    this.#active.with(upstream).add();
  }

  closed(upstream: string): void {
    this.#active.with(upstream).add(-1);
  }
}

/** Returns the connection metrics of a thread, or `null` if metrics are unavailable. In the control thread, also registers the health gauge. */
export function meterOf(candidates: readonly Candidate[], context: Context): ProxyMeter | null {
  const metrics = context.find(metricsToken);
  if (metrics === undefined) return null;
  if (context.roles.control && candidates.some(({ board }) => board !== null)) {
    const healthy = metrics.family(upstreamHealthy);
    let stop: (() => void) | null = null;
    context.onCommit(() => {
      stop = metrics.onCollect(() => {
        for (const { address, board } of candidates)
          if (board !== null) healthy.with(address).set(board.healthy ? 1 : 0);
      });
    });
    context.onRetire(() => {
      stop?.();
      for (const { address } of candidates) healthy.delete(address);
    });
  }
  return new ProxyMeter(metrics.family(proxiedConnections), metrics.family(activeConnections));
}
