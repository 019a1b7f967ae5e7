/**
 * A rehearsal of requests: they run through the handlers of a configuration, and nothing leaves the server. Handlers that
 * send, count or keep something have another form for it (`HttpHandler.watched`), which tells the rehearsal instead.
 */
import type { HeaderMap } from '@sluice/http1';
import type { Exchange } from './exchange/exchange.ts';

/** A request that would be sent. */
export interface RehearsedRequest {
  /** Where to: the dial address of an upstream, or a URL. */
  readonly to: string;
  readonly method: string;
  readonly uri: string;
  readonly host: string;
  readonly headers: HeaderMap;
  /** Reads the body as a connected transport does; returns why there is no more of it, such as a limit. */
  readBody(): Error | null;
}

/** A response that the client of the rehearsal declares: what the upstream is to respond with, or how it fails. */
export interface DeclaredResponse {
  /** 0 where it fails. */
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body: Buffer;
  readonly failure: 'refused' | 'reset' | 'timeout' | null;
  /** Reason why the request body could not be sent; `null` if it was. */
  readonly bodyError: Error | null;
}

/** An upstream that could have been chosen. */
export interface UpstreamCandidate {
  readonly address: string;
  readonly chosen: boolean;
  /** True if the policy may select it, depending on unknown facts. */
  readonly possible: boolean;
  /** Why, or why not, in a few words. */
  readonly why: string;
  /** Its state now: `healthy`, `unhealthy`, `degraded` or `unknown`. */
  readonly state: string;
  /** Reason for the state, and its start (ISO 8601). */
  readonly reason: string;
  readonly since: string;
}

/** How an upstream is chosen. */
export interface Choice<T> {
  select(): T | null;
  /** Upstreams that the policy may select if what it selects by is not known. */
  eligible(): readonly T[];
  /** Selects as if no other upstream were available. */
  selectOnly(one: T): T | null;
  /** `possible`: upstreams that the policy may select as well. */
  describe(chosen: T | null, possible: readonly T[]): readonly UpstreamCandidate[];
}

/** Told by handlers instead of what they would do. */
export interface Rehearsal {
  /** A number as of `Math.random`. Where the client gives none, what comes of it is unknown. */
  random(exchange: Exchange): number;
  /** Notes that what is decided depends on a state that other requests change, such as `earlier requests`. */
  depends(exchange: Exchange, state: string): void;
  /** Decides something of the handler that runs. If it depends on what is not known, both outcomes are followed. */
  decides(exchange: Exchange, option: string, compute: () => boolean): boolean;
  /** Chooses an upstream, and notes what `describe` says of the choice. */
  choose<T extends { readonly address: string }>(exchange: Exchange, choice: Choice<T>): T | null;
  /** Notes what would be sent, and gives the response that is declared for it. Throws where there is none: the request ends. */
  send(exchange: Exchange, request: RehearsedRequest): DeclaredResponse;
  /** Ends the request: what would come of it is not known without doing it. Throws. */
  stop(exchange: Exchange, why: string): never;
}
