/** Handlers that keep requests from what follows them: they have to come before it. */
import type { HandlerModel, RouteModel } from './model.ts';

/** Whether a handler refuses requests. */
export function isGuard({ name }: HandlerModel): boolean {
  return name === 'authentication' || name === 'request_body';
}

/** Whether a route has one, also within. */
export function hasGuard({ handlers }: RouteModel): boolean {
  return handlers.some((each) => isGuard(each) || each.lists.some(({ routes }) => routes.some(hasGuard)));
}
