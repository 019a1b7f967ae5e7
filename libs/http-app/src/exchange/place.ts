/** Position of a handler in the configuration, for reporting failures and counting requests. */

import type { Json } from '@sluice/base';
import type { TallyBlock } from '@sluice/threads';

/**
 * Counter for requests of a route with one host, usually the host of the previous request. Filled by the statistics and read for each
 * request; see `stats/request-stats.ts`.
 */
export class PlaceCounter {
  /** Requested host; `null` before the first count. */
  host: string | null = null;
  numbers: Float64Array = noNumbers;
  base = 0;
  block: TallyBlock | null = null;
  /**
   * Only one of `batch` requests served within one event loop turn is timed. `left`: requests until the next timed request; `timedAt`: time
   * of the last timed request, in milliseconds of `performance.now()`; `lastBucket`: its bucket.
   */
  batch = 1;
  left = 1;
  timedAt = 0.5;
  lastBucket = 0;
}

const noNumbers = new Float64Array(0);

/** Counter of routes without requests; has no host. */
export const unused: PlaceCounter = new PlaceCounter();

/** The route list that contains a handler, and all lists that replace it after changes. */
export interface ListOrigin {
  /** Handler that entered the list; `null` for server route lists. Set by the list. */
  from: HandlerPlace | null;
}

/** Position in the configuration. */
export interface Place {
  /** Module ID, for example `http.handlers.static_response`. */
  readonly module: string;
  /** The route, as numbered at provisioning: `apps.http.servers.s.routes[3]`. */
  readonly route: string;
}

export interface PlaceInRoute extends Place {
  /** Configuration of the route; `null` for routes outside a configuration. */
  readonly node: Json;
}

/** A handler and its position; created when the route is provisioned. */
export interface HandlerPlace extends PlaceInRoute {
  /** Origin of the route, which is set when the route is compiled. */
  origin: ListOrigin | null;
  /** Counter of the stats. */
  counter: PlaceCounter;
}

/** An exception and its origin. */
export interface Blame {
  readonly error: unknown;
  readonly place: Place;
}

/** Position for handlers outside a configuration, for example in tests. */
export const nowhere: HandlerPlace = placeOutside();

/** Creates a place outside all routes. */
export function placeOutside(): HandlerPlace {
  return { module: '', route: '', node: null, origin: null, counter: unused };
}
