/**
 * Dry runs of requests. A request runs through the configured handlers, but has no effects outside the server. Handlers that send, count,
 * or store something have a variant for dry runs (`HttpHandler.watched`). This variant reports the action to the rehearsal.
 */
import type { HeaderMap } from '@sluice/http1';
import type { Exchange } from './exchange/exchange.ts';

/** A request that a handler would send in a real run. */
export interface RehearsedRequest {
  /** Destination: the dial address of an upstream, or a URL. */
  readonly to: string;
  readonly method: string;
  readonly uri: string;
  readonly host: string;
  readonly headers: HeaderMap;
  /** Reads the body as a real transport would. Returns the error that stopped the reading, for example an exceeded limit. */
  readBody(): Error | null;
}

/** The response or failure that the admin client declared for a simulated upstream. */
export interface DeclaredResponse {
  /** Response status; 0 for a failure. */
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body: Buffer;
  readonly failure: 'refused' | 'reset' | 'timeout' | null;
  /** Error from the request body; `null` if there was none. */
  readonly bodyError: Error | null;
}

export interface UpstreamCandidate {
  readonly address: string;
  readonly chosen: boolean;
  /** True if the policy might select this upstream, considering that some facts are unknown. */
  readonly possible: boolean;
  /** Short reason for the value of `possible`. */
  readonly why: string;
  /** Current upstream state: `healthy`, `unhealthy`, `degraded` or `unknown`. */
  readonly state: string;
  /** Reason for the upstream state, and start time of the state (ISO 8601). */
  readonly reason: string;
  readonly since: string;
}

export interface Choice<T> {
  select(): T | null;
  eligible(): readonly T[];
  /** Runs the selection as if only the given upstream were available. Returns `null` if the policy doesn't select it. */
  selectOnly(one: T): T | null;
  /** Describes the candidates of a selection. `possible` contains the other upstreams that the policy may select. */
  describe(chosen: T | null, possible: readonly T[]): readonly UpstreamCandidate[];
}

/** Recorder of the actions that handlers skip in a dry run. */
export interface Rehearsal {
  /**
   * Returns a random number as `Math.random` does. If the admin client supplied no random number, the dry run's result is marked as
   * unknown.
   */
  random(exchange: Exchange): number;
  /** Records that a decision depends on state that other requests change, such as `earlier requests`. */
  depends(exchange: Exchange, state: string): void;
  /**
   * Records a decision of the handler that is running. If the decision depends on unknown request properties, the explanation shows both
   * outcomes.
   */
  decides<T extends boolean | Promise<boolean>>(exchange: Exchange, option: string, compute: () => T): T;
  choose<T extends { readonly address: string }>(exchange: Exchange, choice: Choice<T>): T | null;
  /** Records a request and returns the response declared for it. If no response is declared, throws to end the dry run. */
  send(exchange: Exchange, request: RehearsedRequest): DeclaredResponse;
  /** Ends the dry run, because the remaining steps depend on a skipped side effect. Always throws. */
  stop(exchange: Exchange, why: string): never;
}
