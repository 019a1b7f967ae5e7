/**
 * Dry runs of requests, which run through the configured handlers without leaving the server. Handlers that send, count or store something
 * have a variant for dry runs (`HttpHandler.watched`), which reports to the rehearsal instead.
 */
import type { HeaderMap } from '@sluice/http1';
import type { Exchange } from './exchange/exchange.ts';

/** A request that would be sent. */
export interface RehearsedRequest {
  /** Destination: the dial address of an upstream, or a URL. */
  readonly to: string;
  readonly method: string;
  readonly uri: string;
  readonly host: string;
  readonly headers: HeaderMap;
  /** Reads the body as a real transport does; returns the error that ended it early, for example a limit. */
  readBody(): Error | null;
}

/** A simulated upstream response declared by the client: the response or failure. */
export interface DeclaredResponse {
  /** 0 for a failure. */
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body: Buffer;
  readonly failure: 'refused' | 'reset' | 'timeout' | null;
  /** Error that prevented sending the request body; `null` if there was none. */
  readonly bodyError: Error | null;
}

/** An upstream that could have been chosen. */
export interface UpstreamCandidate {
  readonly address: string;
  readonly chosen: boolean;
  /** True if the policy may select it, depending on unknown facts. */
  readonly possible: boolean;
  /** Short reason for `possible`. */
  readonly why: string;
  /** Current state: `healthy`, `unhealthy`, `degraded` or `unknown`. */
  readonly state: string;
  /** Reason for the state, and its start time (ISO 8601). */
  readonly reason: string;
  readonly since: string;
}

/** Selection of an upstream. */
export interface Choice<T> {
  select(): T | null;
  /** Returns upstreams the policy may select if its input is unknown. */
  eligible(): readonly T[];
  /** Selects as if no other upstream were available. */
  selectOnly(one: T): T | null;
  /** `possible` contains the other upstreams that the policy may select. */
  describe(chosen: T | null, possible: readonly T[]): readonly UpstreamCandidate[];
}

/** Receives reports of handlers about actions that they skip in a dry run. */
export interface Rehearsal {
  /** Returns a number as `Math.random` does. If the client provides none, the outcome is unknown. */
  random(exchange: Exchange): number;
  /** Records that a decision depends on state that other requests change, for example `earlier requests`. */
  depends(exchange: Exchange, state: string): void;
  /** Makes a decision for the running handler. If the decision depends on unknown facts, the explanation follows both outcomes. */
  decides<T extends boolean | Promise<boolean>>(exchange: Exchange, option: string, compute: () => T): T;
  /** Selects an upstream and records the description of the selection. */
  choose<T extends { readonly address: string }>(exchange: Exchange, choice: Choice<T>): T | null;
  /** Records a request, and returns its declared response. If there is none, throws to end the request. */
  send(exchange: Exchange, request: RehearsedRequest): DeclaredResponse;
  /** Ends the request because its outcome is unknown without the side effect. Always throws. */
  stop(exchange: Exchange, why: string): never;
}
