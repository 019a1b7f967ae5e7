/** Samples of upstream state for charts. */
import type { UpstreamSample } from '@sluice/http-app';
import type { ProxyModule } from './module.ts';
import type { ProxyUpstream } from './proxy-upstream.ts';

/** Returns samples of the upstreams of all threads. Each address occurs only once. */
export async function sampleUpstreams({ table, found }: ProxyModule): Promise<readonly UpstreamSample[]> {
  const samples = new Map<string, UpstreamSample>();
  for (const { address, requests } of table.hosts()) {
    const users = table.upstreamsOf(address);
    samples.set(address, { address, inFlight: requests, usedBy: users.length, unhealthy: unhealthyIn(users) });
  }
  for (const { address, num_requests: inFlight, proxies } of await found.gather())
    if (!samples.has(address))
      samples.set(address, { address, inFlight, usedBy: proxies.length, unhealthy: unhealthyIn(proxies) });
  return [...samples.values()];
}

function unhealthyIn(users: readonly Pick<ProxyUpstream, 'healthy'>[]): number {
  return users.reduce((sum, { healthy }) => sum + (healthy ? 0 : 1), 0);
}
