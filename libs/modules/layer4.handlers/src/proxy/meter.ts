/** Metrics of layer 4 proxies. */
import { declareCounter, declareGauge, metricsToken, type Family } from '@sluice/telemetry';
import type { Context } from '@sluice/registry';
import type { Candidate } from './candidate.ts';

/** Number of connections so far. */
export const proxiedConnections = declareCounter(
  'caddy_layer4_proxy_connections_total',
  'Connections proxied to an upstream.',
  ['upstream'],
);
/** Number of connections in progress. */
export const activeConnections = declareGauge(
  'caddy_layer4_proxy_active_connections',
  'Connections currently being proxied to an upstream.',
  ['upstream'],
);
/** Results of active health checks. */
export const upstreamHealthy = declareGauge(
  'caddy_layer4_proxy_upstream_healthy',
  '1 if active health checks consider the upstream healthy, otherwise 0.',
  ['upstream'],
);

/** Counts the connections of a thread. */
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

/** Returns the meter of a thread; `null` if the thread has no metrics. The control thread reports health. */
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
