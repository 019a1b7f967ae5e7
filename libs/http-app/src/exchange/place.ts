import type { Json } from '@sluice/base';
import type { TallyBlock } from '@sluice/threads';

/**
 * Request counter of a route for one host, which is usually the host of the previous request. The statistics code updates the counter; see
 * `stats/request-stats.ts`.
 */
export class PlaceCounter {
  /** Host of the counted requests. `null` before the first request. */
  host: string | null = null;
  numbers: Float64Array = noNumbers;
  base = 0;
  block: TallyBlock | null = null;
  /**
   * In each event loop turn, only one of every `batch` requests is timed. `left` is the number of requests until the next timed request.
   * `timedAt` is the time of the last timed request, in milliseconds of `performance.now()`. `lastBucket` is the histogram bucket of that
   * request.
   */
  batch = 1;
  left = 1;
  timedAt = 0.5;
  lastBucket = 0;
}

const noNumbers = new Float64Array(0);

/** Shared counter for all routes that have not served any requests yet. */
export const unused: PlaceCounter = new PlaceCounter();

/** Identity of a route list. When a configuration change replaces a list, the new list shares this object. */
export interface ListOrigin {
  /** Handler that contains the route list. `null` for the route lists of a server. */
  from: HandlerPlace | null;
}

/** Position of a handler in the configuration. */
export interface Place {
  /** Module ID, such as `http.handlers.static_response`. */
  readonly module: string;
  /** Configuration path of the route at provisioning time, such as `apps.http.servers.s.routes[3]`. */
  readonly route: string;
}

export interface PlaceInRoute extends Place {
  /** Configuration of the route. `null` for built-in routes. */
  readonly node: Json;
}

/** A handler and its position. Created when the route is provisioned. */
export interface HandlerPlace extends PlaceInRoute {
  /** Route list that contains the handler. Set when the route is compiled. */
  origin: ListOrigin | null;
  /** Request counter. The statistics code sets this field. */
  counter: PlaceCounter;
}

/** An exception and the handler that threw it. */
export interface Blame {
  readonly error: unknown;
  readonly place: Place;
}

/** Position of handlers outside a configuration, for example in tests. */
export const nowhere: HandlerPlace = placeOutside();

export function placeOutside(): HandlerPlace {
  return { module: '', route: '', node: null, origin: null, counter: unused };
}
