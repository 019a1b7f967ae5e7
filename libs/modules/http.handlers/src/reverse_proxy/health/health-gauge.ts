/** The metric of upstreams' health, as the control thread sees them. */
import { declareGauge, metricsToken } from '@sluice/telemetry';
import type { Context } from '@sluice/registry';
import type { ProxyUpstream } from '../proxy-upstream.ts';

/** Whether upstreams are well. */
export const upstreamsHealthy = declareGauge(
  'caddy_reverse_proxy_upstreams_healthy',
  'Health status of reverse proxy upstreams.',
  ['upstream'],
);

/** Keeps `caddy_reverse_proxy_upstreams_healthy` for upstreams, while their proxy is in force. */
export function gaugeHealth(upstreams: readonly ProxyUpstream[], context: Context): void {
  const metrics = context.roles.control ? context.find(metricsToken) : undefined;
  if (metrics === undefined || upstreams.length === 0) return;
  const healthy = metrics.family(upstreamsHealthy);
  let stop: (() => void) | null = null;
  context.onCommit(() => {
    stop = metrics.onCollect(() => {
      for (const upstream of upstreams) healthy.with(upstream.address).set(upstream.healthy ? 1 : 0);
    });
  });
  context.onRetire(() => {
    stop?.();
    // Other proxies of the same address set it again when metrics are collected.
    for (const { address } of upstreams) healthy.delete(address);
  });
}
