/** What the admin API tells of an address. The counters are those of all threads. */
import type { ProxyUpstream, UpstreamDetail } from './proxy-upstream.ts';
import { worstOf, type UpstreamState } from './upstream-state.ts';
import type { UpstreamHost } from './upstream-host.ts';

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

/** Puts entries of one address together, of whatever threads: each proxy once. */
export function mergedStatuses(statuses: readonly DetailedStatus[]): DetailedStatus[] {
  const merged = new Map<string, DetailedStatus>();
  for (const status of statuses) {
    const known = merged.get(status.address);
    if (known === undefined) merged.set(status.address, status);
    else {
      const others = status.proxies.filter(({ where }) => known.proxies.every((proxy) => proxy.where !== where));
      const proxies = [...known.proxies, ...others];
      merged.set(status.address, { ...known, ...worstState(proxies), proxies });
    }
  }
  return [...merged.values()];
}
