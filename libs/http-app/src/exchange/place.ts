/** Where in the configuration a handler stands, for what is said of its failures and counted of its requests. */

import type { Json } from '@sluice/base';
import type { TallyBlock } from '@sluice/threads';

/**
 * Where the requests of a route are counted that came for one host, which mostly is that of the request before. Filled by
 * the stats, and read for each request; see `stats/request-stats.ts`.
 */
export class PlaceCounter {
  /** As the client named it; `null` where nothing was counted yet. */
  host: string | null = null;
  numbers: Float64Array = noNumbers;
  base = 0;
  block: TallyBlock | null = null;
  /**
   * Of requests that were served in one turn of the event loop one is timed for so many. How many are left until then, when
   * the last one was timed, in milliseconds of `performance.now()`, and its bucket.
   */
  batch = 1;
  left = 1;
  timedAt = 0.5;
  lastBucket = 0;
}

const noNumbers = new Float64Array(0);

/** The counter of routes that no request has come to: it has no host. */
export const unused: PlaceCounter = new PlaceCounter();

/** The list of routes that a place is in, and all lists that take its place after a change. */
export interface ListOrigin {
  /** The handler that has entered the list; `null` for the lists of servers. Set by the list. */
  from: HandlerPlace | null;
}

/** Where something stands in the configuration. */
export interface Place {
  /** Id, such as `http.handlers.static_response`. */
  readonly module: string;
  /** The route, as it was numbered when it was provisioned: `apps.http.servers.s.routes[3]`. */
  readonly route: string;
}

export interface PlaceInRoute extends Place {
  /** The configuration of the route; `null` for routes that are in none. */
  readonly node: Json;
}

/** A handler at its place; made when the route is provisioned. */
export interface HandlerPlace extends PlaceInRoute {
  /** Set when the route is compiled. */
  origin: ListOrigin | null;
  /** Set by the stats. */
  counter: PlaceCounter;
}

/** An exception, and where it was thrown. */
export interface Blame {
  readonly error: unknown;
  readonly place: Place;
}

/** The place of handlers that belong to no configuration, such as those of tests. */
export const nowhere: HandlerPlace = placeOutside();

/** A place outside of all routes. */
export function placeOutside(): HandlerPlace {
  return { module: '', route: '', node: null, origin: null, counter: unused };
}
