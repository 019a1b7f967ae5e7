/** All routes and route lists of a server, including nested ones. Computed once per server. */
import { onceForNode } from '@sluice/registry';
import type { RouteModel, RoutesModel, ServerModel } from './model.ts';

interface All {
  readonly routes: readonly RouteModel[];
  readonly lists: readonly RoutesModel[];
}

/** Returns all routes of a server. Each route precedes its nested routes. */
export function everyRoute(server: ServerModel): readonly RouteModel[] {
  return allOf(server).routes;
}

/** Returns the route lists inside handlers. */
export function everyNestedList(server: ServerModel): readonly RoutesModel[] {
  return allOf(server).lists;
}

const allOf = onceForNode((server: ServerModel): All => {
  const routes: RouteModel[] = [];
  const lists: RoutesModel[] = [];
  const visit = (route: RouteModel): void => {
    routes.push(route);
    for (const handler of route.handlers) {
      for (const list of handler.lists) {
        lists.push(list);
        list.routes.forEach(visit);
      }
    }
  };
  server.routes.routes.forEach(visit);
  server.errors.routes.forEach(visit);
  for (const route of server.named.values()) visit(route);
  return { routes, lists };
});
