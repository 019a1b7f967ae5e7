/** All routes of the API: the server's own and those that packages contribute. */
import type { AdminOperations } from '@sluice/registry';
import { addOpenApiRoute } from './openapi/route.ts';
import type { ApiOptions } from './routes/changes.ts';
import { collectRouters, tableOf, type OwnedRouter, type RouteTable } from './routes/contributed.ts';
import { addDashboardRoutes } from './routes/dashboard.ts';
import { addHistoryRoutes } from './routes/history.ts';
import { addLoadRoutes } from './routes/load.ts';
import { RouteRecorder } from './routes/route-recorder.ts';
import { addSchemaRoute } from './routes/schema.ts';
import { addStopRoute } from './routes/stop.ts';
import { addUpgradeRoute } from './routes/upgrade.ts';

/** Routes that are known, and not served by Express yet. */
export interface AllRoutes {
  readonly routers: readonly OwnedRouter<RouteRecorder>[];
  readonly table: RouteTable;
}

/** Collects the routes. Two of one method and path, or such as packages may not add, are an error. */
export function collectRoutes(api: ApiOptions): AllRoutes {
  const { reconciler, bodyLimit } = api;
  const own = { owner: 'the server', router: ownRoutes(api), describe: ownOperations };
  const makeRouter = (): RouteRecorder => new RouteRecorder();
  const routers = [own, ...collectRouters(reconciler.registry, { makeRouter, server: reconciler, bodyLimit })];
  addOpenApiRoute(own.router, routers, api);
  return { routers, table: tableOf(routers) };
}

/** What our routes are for. */
async function ownOperations(): Promise<AdminOperations> {
  return (await import('./openapi/operations.ts')).operations;
}

function ownRoutes(api: ApiOptions): RouteRecorder {
  const router = new RouteRecorder();
  addLoadRoutes(router, api);
  addStopRoute(router, api);
  addUpgradeRoute(router, api);
  addSchemaRoute(router, api);
  addHistoryRoutes(router, api);
  addDashboardRoutes(router, api);
  return router;
}
