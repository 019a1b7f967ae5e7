/** Upstreams as seen by the reverse proxy components that select, discover and protect them. */
import { namespace, token, type Namespace, type Token } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';
import type { Watch } from '../handler.ts';

/** An upstream of one proxy, as seen by a selection policy. */
export interface Upstream {
  /** Dial address, as configured or as returned by its source. */
  readonly address: string;
  /** True if the upstream may receive a request now, because it is healthy and below its limit. Read once per selection. */
  readonly available: boolean;
  /** Requests in flight, across all threads. */
  readonly requests: number;
}

/** Selects upstreams. */
export interface SelectionPolicy {
  /** Returns an available upstream, or `null` if none exists. The list may change between calls. */
  select(upstreams: readonly Upstream[], exchange: Exchange): Upstream | null;
  /**
   * For policies that balance load: returns the probability of considering an upstream in slow start, so that it gets
   * about `share` (0 to 1) of its normal share of requests. Slow start doesn't apply to policies without it.
   */
  considers?(share: number, upstreams: number): number;
  /** For policies that rotate, keep state or choose at random: returns the policy for a watched chain; see `HttpHandler.watched`. */
  watched?(watch: Watch): SelectionPolicy;
  /**
   * Returns the upstreams that a request may get if the selection can't be predicted. Default: all available upstreams. Only called in dry
   * runs.
   */
  eligible?(upstreams: readonly Upstream[], exchange: Exchange): readonly Upstream[];
}

/** Namespace `http.reverse_proxy.selection_policies`; inline key `policy`. */
export const selectionPolicies: Namespace<SelectionPolicy> = namespace<SelectionPolicy>(
  'http.reverse_proxy.selection_policies',
);

/** Discovers upstreams at request time. */
export interface UpstreamSource {
  /**
   * Returns dial addresses for a request. Unless the addresses change, returns the same array, so that callers can compare. On an error,
   * the proxy uses its static list.
   */
  upstreams(exchange: Exchange): readonly string[] | Promise<readonly string[]>;
}

/** Namespace `http.reverse_proxy.upstreams`; inline key `source`. */
export const upstreamSources: Namespace<UpstreamSource> = namespace<UpstreamSource>('http.reverse_proxy.upstreams');

/** Stops requests to failing upstreams. The server ships without a circuit breaker. */
export interface CircuitBreaker {
  /** True if requests may be sent. */
  readonly ok: boolean;
  /** Records the outcome of a request: status (502 … for our own errors) and milliseconds until the response head. */
  record(status: number, latency: number): void;
}

/** Namespace `http.reverse_proxy.circuit_breakers`; inline key `type`. */
export const circuitBreakers: Namespace<CircuitBreaker> = namespace<CircuitBreaker>(
  'http.reverse_proxy.circuit_breakers',
);

/**
 * Distinguishes a proxy from proxies at the same position in earlier or later configurations. Provided to the parts of the proxy. Together
 * with the position, the identity selects the state that threads share, for example a round-robin counter.
 */
export const proxyIdentity: Token<string> = token<string>('proxy-identity');
