/**
 * Dry runs of requests: requests run through the configured handlers, but nothing leaves the server. Handlers that
 * send, count or store something have a variant for dry runs (`HttpHandler.watched`), which reports to the rehearsal
 * instead.
 */
import type { HeaderMap } from '@sluice/http1';
import type { Exchange } from './exchange/exchange.ts';

/** A request that a handler would send. */
export interface RehearsedRequest {
  /** Dial address of an upstream, or a URL. */
  readonly to: string;
  readonly method: string;
  readonly uri: string;
  readonly host: string;
  readonly headers: HeaderMap;
  /** Reads the body like a real transport. Returns the error that ended it early, for example a limit. */
  readBody(): Error | null;
}

/** The response or failure that the client declared for a simulated upstream. */
export interface DeclaredResponse {
  /** 0 for a failure. */
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body: Buffer;
  readonly failure: 'refused' | 'reset' | 'timeout' | null;
  /** Error of the request body; `null` if there was none. */
  readonly bodyError: Error | null;
}

export interface UpstreamCandidate {
  readonly address: string;
  readonly chosen: boolean;
  /** True if the policy may select it, considering unknown facts. */
  readonly possible: boolean;
  /** Reason for `possible`, in a few words. */
  readonly why: string;
  /** Current state: `healthy`, `unhealthy`, `degraded` or `unknown`. */
  readonly state: string;
  /** Reason for the state, and its start time (ISO 8601). */
  readonly reason: string;
  readonly since: string;
}

export interface Choice<T> {
  select(): T | null;
  eligible(): readonly T[];
  /** Selects the given upstream, as if no other were available. */
  selectOnly(one: T): T | null;
  /** Describes the selection. `possible` contains the other upstreams that the policy may select. */
  describe(chosen: T | null, possible: readonly T[]): readonly UpstreamCandidate[];
}

/** Receives actions that handlers skip in a dry run. */
export interface Rehearsal {
  /** Returns a number as `Math.random` does. If the client provides none, the result is marked as unknown. */
  random(exchange: Exchange): number;
  /** Records that a decision depends on state that other requests change, such as `earlier requests`. */
  depends(exchange: Exchange, state: string): void;
  /**
   * Records a decision of the running handler. If it depends on unknown facts, the explanation follows both outcomes.
   */
  decides<T extends boolean | Promise<boolean>>(exchange: Exchange, option: string, compute: () => T): T;
  choose<T extends { readonly address: string }>(exchange: Exchange, choice: Choice<T>): T | null;
  /** Records a request and returns its declared response. If none is declared, throws to end the dry run. */
  send(exchange: Exchange, request: RehearsedRequest): DeclaredResponse;
  /** Ends the dry run, because the rest depends on a side effect that was skipped. Always throws. */
  stop(exchange: Exchange, why: string): never;
}
