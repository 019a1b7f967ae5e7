/** A route and its position in a list. */
import type { Next } from '../exchange/exchange.ts';
import type { Route } from './route.ts';

/** Route in a list. Immutable, and shared by successive lists. */
export interface CompiledRoute {
  readonly route: Route;
  readonly rank: number;
  /** Runs the handlers of the route, then the rest of the list. */
  readonly run: Next;
}
