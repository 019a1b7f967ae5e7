/** Upstreams as seen by the reverse proxy components that select, discover and protect them. */
import { namespace, token, type Namespace, type Token } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';
import type { Watch } from '../handler.ts';

/** An upstream of one proxy, as seen by a selection policy. */
export interface Upstream {
  /** Dial address, as configured or as returned by its source. */
  readonly address: string;
  /** True if the upstream may receive a request now: it is healthy and below its limit. Read once per selection. */
  readonly available: boolean;
  /** Requests in flight, across all threads. */
  readonly requests: number;
}

/** Selects upstreams. */
export interface SelectionPolicy {
  /** Returns an available upstream, or `null` if none exists. The list may change between calls. */
  select(upstreams: readonly Upstream[], exchange: Exchange): Upstream | null;
  /**
   * For load-balancing policies: returns the probability of considering an upstream in slow start, so that it gets
   * about `share` (0 to 1) of its normal share of requests. If absent, slow start doesn't apply.
   */
  considers?(share: number, upstreams: number): number;
  /**
   * Required for policies with state or random choices. Returns the policy for an observed chain; see
   * `HttpHandler.watched`.
   */
  watched?(watch: Watch): SelectionPolicy;
  /**
   * Returns the upstreams that the policy may select if the selection can't be predicted. Default: all available
   * upstreams. Only called in dry runs.
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
   * Returns dial addresses for a request, in the same array while they don't change. If this fails, the proxy uses its
   * static list.
   */
  upstreams(exchange: Exchange): readonly string[] | Promise<readonly string[]>;
}

/** Namespace `http.reverse_proxy.upstreams`; inline key `source`. */
export const upstreamSources: Namespace<UpstreamSource> = namespace<UpstreamSource>('http.reverse_proxy.upstreams');

/** Stops requests to failing upstreams. The server ships without a circuit breaker. */
export interface CircuitBreaker {
  /** True if requests may be sent. */
  readonly ok: boolean;
  /**
   * Records the result of a request: its status (for our own errors, for example 502), and the milliseconds until the
   * response head.
   */
  record(status: number, latency: number): void;
}

/** Namespace `http.reverse_proxy.circuit_breakers`; inline key `type`. */
export const circuitBreakers: Namespace<CircuitBreaker> = namespace<CircuitBreaker>(
  'http.reverse_proxy.circuit_breakers',
);

/**
 * Distinguishes a proxy from proxies at the same position in other configurations. Together with the position, it
 * selects state shared by threads, for example a round-robin counter.
 */
export const proxyIdentity: Token<string> = token<string>('proxy-identity');
