/** All routes and handlers of a server, also within others. */
import type { RouteModel, RoutesModel, ServerModel } from './model.ts';

/** Routes, each before those within it. */
export function* everyRoute(server: ServerModel): Generator<RouteModel> {
  yield* within(server.routes);
  yield* within(server.errors);
  for (const route of server.named.values()) yield* routeAndBelow(route);
}

/** Routes of a list, and those within them. */
function* within({ routes }: RoutesModel): Generator<RouteModel> {
  for (const route of routes) yield* routeAndBelow(route);
}

function* routeAndBelow(route: RouteModel): Generator<RouteModel> {
  yield route;
  for (const { lists } of route.handlers) for (const list of lists) yield* within(list);
}
