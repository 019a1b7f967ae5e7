/** State of an upstream address in the admin API. The counters include all threads. */
import { type UpstreamHost, type UpstreamState, worstOf } from '@sluice/http-app';
import type { ProxyUpstream, UpstreamDetail } from './proxy-upstream.ts';

export interface UpstreamStatus {
  readonly address: string;
  readonly num_requests: number;
  readonly fails: number;
}

/** Entry of an upstream in responses with `?detail`. */
export interface DetailedStatus extends UpstreamStatus, UpstreamState {
  /** True if no new requests are sent to the upstream. */
  readonly draining: boolean;
  /** Number of queued requests that wait for this address. */
  readonly queued: number;
  /** Moving average of the time to first byte, in milliseconds. 0 before the first response. */
  readonly latency_ms: number;
  readonly proxies: readonly UpstreamDetail[];
}

/** Returns the entry for an upstream address. */
function statusOf({ address, requests, fails }: UpstreamHost): UpstreamStatus {
  return { address, num_requests: requests, fails };
}

/** Returns the entry for an upstream address, including details from its proxies. `placeOf` returns the configuration path of a proxy. */
export function detailedStatus(
  host: UpstreamHost,
  upstreams: readonly ProxyUpstream[],
  placeOf: (upstream: ProxyUpstream) => string,
): DetailedStatus {
  const proxies = upstreams.map((upstream) => upstream.detail(placeOf(upstream)));
  return {
    ...statusOf(host),
    ...worstState(proxies),
    draining: host.draining,
    queued: host.waiters?.count ?? 0,
    latency_ms: Math.round(host.latency * 1000) / 1000,
    proxies,
  };
}

function worstState(proxies: readonly UpstreamDetail[]): UpstreamState {
  const { state, reason, since } = worstOf(proxies);
  return { state, reason, since };
}

/** Merges the entries of all threads by address. Each proxy occurs only once in the result. */
export function mergedStatuses(statuses: readonly DetailedStatus[]): DetailedStatus[] {
  return [...Map.groupBy(statuses, ({ address }) => address).values()].map((same) => {
    const [first, ...others] = same as [DetailedStatus, ...DetailedStatus[]];
    if (others.length === 0) return first;
    const proxies = [...first.proxies];
    const known = new Set(proxies.map(({ where }) => where));
    for (const proxy of others.flatMap((other) => other.proxies)) {
      if (known.has(proxy.where)) continue;
      known.add(proxy.where);
      proxies.push(proxy);
    }
    return { ...first, ...worstState(proxies), proxies };
  });
}
