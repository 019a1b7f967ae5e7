/** Handlers that reject requests, and must therefore precede the handlers that they protect. */
import type { HandlerModel, RouteModel } from './model.ts';

/** Reports whether a handler can reject requests. */
export function isGuard({ name }: HandlerModel): boolean {
  return name === 'authentication' || name === 'request_body';
}

/** Reports whether a route or a nested route has a guard. */
export function hasGuard({ handlers }: RouteModel): boolean {
  return handlers.some((each) => isGuard(each) || each.lists.some(({ routes }) => routes.some(hasGuard)));
}
