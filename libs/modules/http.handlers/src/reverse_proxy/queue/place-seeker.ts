/** Interface between a proxied request and the queue. */
import type { Guarded } from '@sluice/base';
import type { DialAddress, Exchange, UpstreamWaiters } from '@sluice/http-app';

/** An upstream with a request limit, as the queue uses it. */
export interface LimitedUpstream {
  /** True if the upstream can receive requests, either immediately or after other requests have completed. */
  readonly usable: boolean;
  /** Number of additional requests that the limit allows. */
  readonly freePlaces: number;
  readonly host: { readonly waiters: UpstreamWaiters | null };
}

/** A request that needs capacity on an upstream. The queue calls these methods. */
export interface PlaceSeeker<U extends LimitedUpstream> extends Guarded {
  readonly exchange: Exchange;
  /** Returns the upstreams that the request can currently use. */
  list(): readonly U[] | Promise<readonly U[]>;
  /** Selects an upstream below its limit and counts the request as in flight. Returns `null` if there is none. */
  take(list: readonly U[]): DialAddress | null;
  /** Called after {@link take} has selected an upstream, at most once. */
  onPlace(address: DialAddress): void;
  /** Called if no upstream was selected, at most once. `error` is `null` if all upstreams have become unavailable. */
  onNoPlace(error: Error | null): void;
}
