/** Metrics for upstream health, in the control thread. */
import { upstreamStates, worstOf } from '@sluice/http-app';
import { declareGauge, metricsToken } from '@sluice/telemetry';
import type { Context } from '@sluice/registry';
import type { ProxyUpstream } from '../proxy-upstream.ts';
import type { UpstreamTable } from '../upstream-table.ts';

export const upstreamsHealthy = declareGauge(
  'caddy_reverse_proxy_upstreams_healthy',
  'Health status of reverse proxy upstreams.',
  ['upstream'],
);

export const upstreamState = declareGauge(
  'sluice_reverse_proxy_upstream_state',
  '1 for the current state of a reverse proxy upstream, 0 for the other states.',
  ['state', 'upstream'],
);

/** Keeps both health gauges of the upstreams up to date while their proxy is active. */
export function gaugeHealth(upstreams: readonly ProxyUpstream[], table: UpstreamTable, context: Context): void {
  const metrics = context.roles.control ? context.find(metricsToken) : undefined;
  if (metrics === undefined || upstreams.length === 0) return;
  const healthy = metrics.family(upstreamsHealthy);
  const states = metrics.family(upstreamState);
  let stop: (() => void) | null = null;
  context.onCommit(() => {
    stop = metrics.onCollect(() => {
      for (const upstream of upstreams) {
        const { address } = upstream;
        healthy.with(address).set(upstream.healthy ? 1 : 0);
        // Combine the states in all proxies that use the address, as in the admin API.
        const { state } = worstOf(table.upstreamsOf(address).map((each) => each.state));
        for (const name of upstreamStates) states.with(name, address).set(name === state ? 1 : 0);
      }
    });
  });
  context.onRetire(() => {
    stop?.();
    // If other proxies use the address, they set these values again when metrics are collected.
    for (const { address } of upstreams) {
      healthy.delete(address);
      for (const name of upstreamStates) states.delete(name, address);
    }
  });
}
