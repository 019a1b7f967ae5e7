/** Observed variants of a server's route lists; see `HttpHandler.watched`. */
import { watchedList, type Probe } from '../routing/probe.ts';
import type { RouteList } from '../routing/route-list.ts';

/** All route lists in a server's configuration. */
export interface ServerRoutes {
  readonly name: string;
  readonly routes: RouteList;
  readonly errors: RouteList | null;
  readonly namedRoutes: ReadonlyMap<string, RouteList>;
}

/** Returns the observed variants of a server's route lists. */
export function watchedRoutes(
  { name, routes, errors, namedRoutes }: ServerRoutes,
  probe: Probe,
): Pick<ServerRoutes, 'routes' | 'errors' | 'namedRoutes'> {
  const server = ['apps', 'http', 'servers', name];
  return {
    routes: watchedList(routes, probe, { path: [...server, 'routes'] }),
    errors: errors === null ? null : watchedList(errors, probe, { path: [...server, 'errors', 'routes'] }),
    namedRoutes: new Map(
      [...namedRoutes].map(([key, list]) => [
        key,
        watchedList(list, probe, { path: [...server, 'named_routes', key], single: true }),
      ]),
    ),
  };
}
