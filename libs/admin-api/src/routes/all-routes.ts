/** All routes of the API: the server's own and those that packages contribute. */
import type { ApiOptions } from './changes.ts';
import { collectRouters, tableOf, type OwnedRouter, type RouteTable } from './contributed.ts';
import { addHistoryRoutes } from './history.ts';
import { addLoadRoutes } from './load.ts';
import { RouteRecorder } from './route-recorder.ts';
import { addSchemaRoute } from './schema.ts';
import { addStopRoute } from './stop.ts';
import { addUpgradeRoute } from './upgrade.ts';

/** Routes that are known, and not served by Express yet. */
export interface AllRoutes {
  readonly routers: readonly OwnedRouter<RouteRecorder>[];
  readonly table: RouteTable;
}

/** Collects the routes. Two of one method and path, or such as packages may not add, are an error. */
export function collectRoutes(api: ApiOptions): AllRoutes {
  const { engine, bodyLimit } = api;
  const routers = [
    { owner: 'the server', router: ownRoutes(api) },
    ...collectRouters(engine.registry, { makeRouter: () => new RouteRecorder(), server: engine, bodyLimit }),
  ];
  return { routers, table: tableOf(routers) };
}

function ownRoutes(api: ApiOptions): RouteRecorder {
  const router = new RouteRecorder();
  addLoadRoutes(router, api);
  addStopRoute(router, api);
  addUpgradeRoute(router, api);
  addSchemaRoute(router, api);
  addHistoryRoutes(router, api);
  return router;
}
