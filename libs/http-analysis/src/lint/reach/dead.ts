/** Routes and handlers that no request can reach, and why. */
import type { ServerModel, HandlerModel, RouteModel } from '../model.ts';

/** Reason why a route never runs. */
export type Reason =
  | 'after end'
  /** An earlier route ends every request of this route. */
  | 'shadowed'
  /** An earlier route in the same group matches all of the route's requests. */
  | 'group'
  /** The outer routes pass only requests that this route does not match. */
  | 'contradiction';

/** Route that never runs. */
export interface DeadRoute {
  readonly server: ServerModel;
  readonly route: RouteModel;
  readonly reason: Reason;
  /** Route that ends or consumes all requests. */
  readonly by: RouteModel;
}

/** Handler that never runs, in a route that does. */
export interface DeadHandler {
  readonly server: ServerModel;
  readonly handler: HandlerModel;
  /** Earlier handler that never calls the next one. */
  readonly by: HandlerModel;
}

/** Everything that never runs. Nested parts are not listed again. */
export interface Dead {
  readonly routes: readonly DeadRoute[];
  readonly handlers: readonly DeadHandler[];
}
