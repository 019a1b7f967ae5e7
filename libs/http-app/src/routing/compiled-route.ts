/** A compiled route and its position in a list. */
import type { Next } from '../exchange/exchange.ts';
import type { Route } from './route.ts';

/** A route in a list. Immutable. All versions of the list that contain the route share this object. */
export interface CompiledRoute {
  readonly route: Route;
  readonly rank: number;
  /** Runs the route's handlers, followed by the remaining routes of the list. */
  readonly run: Next;
}
