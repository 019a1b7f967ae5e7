/** Routes and handlers that no request can get to, and why. */
import type { ServerModel, HandlerModel, RouteModel } from '../model.ts';

/** Why a route is never run. */
export type Reason =
  | 'after end'
  /** A route before it takes every request that it matches. */
  | 'shadowed'
  /** A route of its group that comes first matches whenever it does. */
  | 'group'
  /** The routes around it let in only what it does not match. */
  | 'contradiction';

/** A route that is never run. */
export interface DeadRoute {
  readonly server: ServerModel;
  readonly route: RouteModel;
  readonly reason: Reason;
  /** Who takes its requests, or lets none of them in. */
  readonly by: RouteModel;
}

/** A handler that is never run, in a route that is. */
export interface DeadHandler {
  readonly server: ServerModel;
  readonly handler: HandlerModel;
  /** The handler before it that passes nothing on. */
  readonly by: HandlerModel;
}

/** All that is never run; what stands within it is not listed again. */
export interface Dead {
  readonly routes: readonly DeadRoute[];
  readonly handlers: readonly DeadHandler[];
}
