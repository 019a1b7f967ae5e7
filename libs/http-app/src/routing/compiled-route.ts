/** A route and its position in a list. */
import type { Next } from '../exchange/exchange.ts';
import type { Route } from './route.ts';

/** List entry for a route; immutable, and shared by successive lists. */
export interface CompiledRoute {
  readonly route: Route;
  /** Order within the list. Ranks of neighbors are far apart, so that insertions fit between neighbors. */
  readonly rank: number;
  /** The route's handlers, followed by the rest of the list. */
  readonly run: Next;
}
