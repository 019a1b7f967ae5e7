/** Interfaces of reverse proxy modules that select, discover and protect upstreams. */
import { namespace, token, type Namespace, type Token } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';
import type { Watch } from '../handler.ts';

/** An upstream of one proxy, in the form that selection policies receive. */
export interface Upstream {
  /** Dial address, as configured or as returned by an upstream source. */
  readonly address: string;
  /** True if the upstream may receive a request now, that is, if it is healthy and below its limit. Read once per selection. */
  readonly available: boolean;
  /** Number of requests in flight, across all threads. */
  readonly requests: number;
}

/** Selects upstreams. */
export interface SelectionPolicy {
  /** Returns an available upstream, or `null` if none is available. The list may change between calls. */
  select(upstreams: readonly Upstream[], exchange: Exchange): Upstream | null;
  /**
   * Returns the probability with which slow start must include an upstream in a selection. The upstream then gets about `share` (0 to 1) of
   * its normal requests. If absent, slow start doesn't apply to this policy.
   */
  considers?(share: number, upstreams: number): number;
  /** Returns the policy for an observed handler chain; see `HttpHandler.watched`. Required for policies with state or random choices. */
  watched?(watch: Watch): SelectionPolicy;
  /**
   * Returns the upstreams that the policy might select, for cases in which the choice can't be predicted. Default: all available upstreams.
   * Called only in dry runs.
   */
  eligible?(upstreams: readonly Upstream[], exchange: Exchange): readonly Upstream[];
}

/** Module namespace `http.reverse_proxy.selection_policies`; the inline key is `policy`. */
export const selectionPolicies: Namespace<SelectionPolicy> = namespace<SelectionPolicy>(
  'http.reverse_proxy.selection_policies',
);

/** A source of upstreams that are discovered at request time. */
export interface UpstreamSource {
  /**
   * Returns dial addresses for a request. Returns the same array object while the addresses don't change. On an error, the proxy uses its
   * static list.
   */
  upstreams(exchange: Exchange): readonly string[] | Promise<readonly string[]>;
}

/** Module namespace `http.reverse_proxy.upstreams`; the inline key is `source`. */
export const upstreamSources: Namespace<UpstreamSource> = namespace<UpstreamSource>('http.reverse_proxy.upstreams');

/** A circuit breaker, which stops requests to failing upstreams. The server has no built-in circuit breaker module. */
export interface CircuitBreaker {
  /** True if the circuit is closed, so requests may be sent. */
  readonly ok: boolean;
  /**
   * Records the result of a request. `status` may be a status that the proxy generated, for example 502. `latency` is the time until the
   * response head, in milliseconds.
   */
  record(status: number, latency: number): void;
}

/** Module namespace `http.reverse_proxy.circuit_breakers`; the inline key is `type`. */
export const circuitBreakers: Namespace<CircuitBreaker> = namespace<CircuitBreaker>(
  'http.reverse_proxy.circuit_breakers',
);

/**
 * Distinguishes a proxy from proxies at the same position in other configurations. The identity and the position together identify state,
 * such as a round-robin counter, that threads share.
 */
export const proxyIdentity: Token<string> = token<string>('proxy-identity');
