/** Upstreams as the parts of the reverse proxy see them: what chooses among them, finds them, and guards them. */
import { namespace, token, type Namespace, type Token } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';
import type { Watch } from '../handler.ts';

/** An upstream of one proxy, as a selection policy sees it. */
export interface Upstream {
  /** The dial text as configured, or as its source gave it. */
  readonly address: string;
  /** Whether it may get a request now: healthy, and not at its limit. Ask once per selection. */
  readonly available: boolean;
  /** Requests in flight, those of all threads together. */
  readonly requests: number;
}

/** Chooses upstreams. */
export interface SelectionPolicy {
  /** One of those that are available; `null` if none is. The list may change from call to call. */
  select(upstreams: readonly Upstream[], exchange: Exchange): Upstream | null;
  /**
   * For policies that take turns, keep something or choose at random: the same policy for a chain that is watched; see
   * `HttpHandler.watched`.
   */
  watched?(watch: Watch): SelectionPolicy;
  /**
   * Returns the upstreams that a request may get, where it is not known which of them. Absent: all that are available. Only
   * called in rehearsals.
   */
  eligible?(upstreams: readonly Upstream[], exchange: Exchange): readonly Upstream[];
}

/** `http.reverse_proxy.selection_policies`: inline key `policy`. */
export const selectionPolicies: Namespace<SelectionPolicy> = namespace<SelectionPolicy>(
  'http.reverse_proxy.selection_policies',
);

/** Finds upstreams while requests come. */
export interface UpstreamSource {
  /**
   * Dial texts for a request. The same array as long as nothing has changed, so that callers can compare. An error makes
   * the proxy use its static list.
   */
  upstreams(exchange: Exchange): readonly string[] | Promise<readonly string[]>;
}

/** `http.reverse_proxy.upstreams`: inline key `source`. */
export const upstreamSources: Namespace<UpstreamSource> = namespace<UpstreamSource>('http.reverse_proxy.upstreams');

/** Keeps requests from upstreams that do badly. No breaker ships with the server. */
export interface CircuitBreaker {
  /** Whether requests may be sent. */
  readonly ok: boolean;
  /** The outcome of a request: status (502 … for errors of ours), and milliseconds to the head of the response. */
  record(status: number, latency: number): void;
}

/** `http.reverse_proxy.circuit_breakers`: inline key `type`. */
export const circuitBreakers: Namespace<CircuitBreaker> = namespace<CircuitBreaker>(
  'http.reverse_proxy.circuit_breakers',
);

/**
 * Tells a proxy from others at the same place of an earlier or later configuration. Provided by the proxy for its parts:
 * together with their place it names what they share with their like in other threads, such as whose turn it is.
 */
export const proxyIdentity: Token<string> = token<string>('proxy-identity');
