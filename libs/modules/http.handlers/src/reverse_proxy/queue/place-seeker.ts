/** Interface between a proxied request and the queue. */
import type { Guarded } from '@sluice/base';
import type { DialAddress, Exchange, UpstreamWaiters } from '@sluice/http-app';

/** An upstream as seen by the queue. */
export interface LimitedUpstream {
  /** True if the upstream can receive requests, now or once other requests have completed. */
  readonly usable: boolean;
  /** Number of requests that may still be sent to it. */
  readonly freePlaces: number;
  readonly host: { readonly waiters: UpstreamWaiters | null };
}

/** The owner of a waiting request. */
export interface PlaceSeeker<U extends LimitedUpstream> extends Guarded {
  readonly exchange: Exchange;
  /** Returns the upstreams that the request may currently use. */
  list(): readonly U[] | Promise<readonly U[]>;
  /** Selects an upstream with a free place, and counts the request as in flight; `null` if there is none. */
  take(list: readonly U[]): DialAddress | null;
  /** Called at most once, when {@link take} has selected an upstream. */
  onPlace(address: DialAddress): void;
  /** Called at most once, without a place; `null` if all upstreams became unavailable. */
  onNoPlace(error: Error | null): void;
}
