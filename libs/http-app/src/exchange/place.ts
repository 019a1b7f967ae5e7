import type { Json } from '@sluice/base';
import type { TallyBlock } from '@sluice/threads';

/**
 * Counter for requests of a route with one host, usually the host of the previous request. Written by the statistics;
 * see `stats/request-stats.ts`.
 */
export class PlaceCounter {
  /** Host of the counted requests; `null` before the first count. */
  host: string | null = null;
  numbers: Float64Array = noNumbers;
  base = 0;
  block: TallyBlock | null = null;
  /**
   * Only one of `batch` requests in an event loop turn is timed. `left`: requests until the next timed request.
   * `timedAt`: time of the last timed request, in milliseconds of `performance.now()`. `lastBucket`: its histogram
   * bucket.
   */
  batch = 1;
  left = 1;
  timedAt = 0.5;
  lastBucket = 0;
}

const noNumbers = new Float64Array(0);

/** Counter of routes that have served no requests. */
export const unused: PlaceCounter = new PlaceCounter();

/** Identity of a route list, shared by all lists that replace it after changes. */
export interface ListOrigin {
  /** Handler that contains the list; `null` for server route lists. */
  from: HandlerPlace | null;
}

/** Position in the configuration. */
export interface Place {
  /** Module ID, for example `http.handlers.static_response`. */
  readonly module: string;
  /** Route at provisioning time, such as `apps.http.servers.s.routes[3]`. */
  readonly route: string;
}

export interface PlaceInRoute extends Place {
  /** Configuration of the route; `null` for built-in routes. */
  readonly node: Json;
}

/** A handler and its position; created when the route is provisioned. */
export interface HandlerPlace extends PlaceInRoute {
  /** Route list of the handler. Set when the route is compiled. */
  origin: ListOrigin | null;
  /** Request counter. Set by the statistics. */
  counter: PlaceCounter;
}

/** An exception and the handler that raised it. */
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
