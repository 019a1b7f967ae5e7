/** Interface between a proxied request and the queue. */
import type { Guarded } from '@sluice/base';
import type { DialAddress, Exchange, UpstreamWaiters } from '@sluice/http-app';

/** An upstream with a limit, as seen by the queue. */
export interface LimitedUpstream {
  /** True if the upstream can receive requests, now or when others have completed. */
  readonly usable: boolean;
  /** Number of additional requests that the limit allows. */
  readonly freePlaces: number;
  readonly host: { readonly waiters: UpstreamWaiters | null };
}

/** Owner of a waiting request. */
export interface PlaceSeeker<U extends LimitedUpstream> extends Guarded {
  readonly exchange: Exchange;
  /** Returns the upstreams that the request may currently use. */
  list(): readonly U[] | Promise<readonly U[]>;
  /** Selects an upstream below its limit, and counts the request as in flight; `null` if there is none. */
  take(list: readonly U[]): DialAddress | null;
  /** Called at most once, when {@link take} has selected an upstream. */
  onPlace(address: DialAddress): void;
  /** Called at most once, if no upstream was selected; `null` if all upstreams became unavailable. */
  onNoPlace(error: Error | null): void;
}
