/** A route at its place in a list. */
import type { Next } from '../exchange/exchange.ts';
import type { Route } from './route.ts';

/** What a list keeps of a route; immutable, and shared by the lists that follow each other. */
export interface CompiledRoute {
  readonly route: Route;
  /** Orders the routes of a list: ranks of neighbours lie far apart, so that insertions find room between them. */
  readonly rank: number;
  /** The handlers of the route, then what follows it. */
  readonly run: Next;
}
