/** Guards: handlers that reject requests. A guard must precede the handlers that it protects. */
import type { HandlerModel, RouteModel } from './model.ts';

/** Reports whether a handler can reject requests. */
export function isGuard({ name }: HandlerModel): boolean {
  return name === 'authentication' || name === 'request_body';
}

/** Reports whether a route, or one of its nested routes, contains a guard. */
export function hasGuard({ handlers }: RouteModel): boolean {
  return handlers.some((each) => isGuard(each) || each.lists.some(({ routes }) => routes.some(hasGuard)));
}
