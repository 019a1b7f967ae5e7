/** What the admin API tells of an address. The counters are those of all threads. */
import { type UpstreamHost, type UpstreamState, worstOf } from '@sluice/http-app';
import type { ProxyUpstream, UpstreamDetail } from './proxy-upstream.ts';

/** An entry of `GET /reverse_proxy/upstreams`. */
export interface UpstreamStatus {
  readonly address: string;
  readonly num_requests: number;
  readonly fails: number;
}

/** An entry with `?detail`. */
export interface DetailedStatus extends UpstreamStatus, UpstreamState {
  /** Whether it gets no new requests. */
  readonly draining: boolean;
  /** Mean milliseconds to the heads of the latest responses; 0 before the first. */
  readonly latency_ms: number;
  /** Each proxy that uses it. */
  readonly proxies: readonly UpstreamDetail[];
}

/** The entry of an address. */
function statusOf({ address, requests, fails }: UpstreamHost): UpstreamStatus {
  return { address, num_requests: requests, fails };
}

/** The same with what proxies make of it; `placeOf` tells where one is in the configuration. */
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
    latency_ms: Math.round(host.latency * 1000) / 1000,
    proxies,
  };
}

function worstState(proxies: readonly UpstreamDetail[]): UpstreamState {
  const { state, reason, since } = worstOf(proxies);
  return { state, reason, since };
}

/** Merges the entries of each address, from whatever threads; each proxy is in the result once. */
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
