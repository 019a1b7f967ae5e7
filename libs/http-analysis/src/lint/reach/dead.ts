/** Types for routes and handlers that no request can reach, with the reasons. */
import type { ServerModel, HandlerModel, RouteModel } from '../model.ts';

/** Reason why a route is unreachable. */
export type Reason =
  | 'after end'
  /** An earlier route ends every request that this route would match. */
  | 'shadowed'
  /** An earlier route in the same group matches every request that this route would match. */
  | 'group'
  /** The enclosing routes pass on only requests that this route does not match. */
  | 'contradiction';

export interface DeadRoute {
  readonly server: ServerModel;
  readonly route: RouteModel;
  readonly reason: Reason;
  /** Route that ends or handles all requests of the unreachable route. */
  readonly by: RouteModel;
}

/** An unreachable handler in a reachable route. */
export interface DeadHandler {
  readonly server: ServerModel;
  readonly handler: HandlerModel;
  /** Earlier handler that never calls the next handler. */
  readonly by: HandlerModel;
}

/** All unreachable routes and handlers. Parts nested inside them are not listed separately. */
export interface Dead {
  readonly routes: readonly DeadRoute[];
  readonly handlers: readonly DeadHandler[];
}
