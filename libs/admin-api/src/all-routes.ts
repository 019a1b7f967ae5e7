/** Collects all admin API routes: the built-in routes and the routes that packages contribute. */
import type { AdminOperations } from '@sluice/registry';
import { addOpenApiRoute } from './openapi/route.ts';
import type { ApiOptions } from './api-options.ts';
import { collectRouters, createRouter, tableOf, type OwnedRouter, type RouteTable } from './routes/contributed.ts';
import { addProposalRoutes } from './proposals/routes.ts';
import { addDashboardRoutes } from './routes/dashboard.ts';
import { addHistoryRoutes } from './routes/history.ts';
import { addLoadRoutes } from './routes/load.ts';
import { addSchemaRoute } from './routes/schema.ts';
import { addStopRoute } from './routes/stop.ts';
import { addUpgradeRoute } from './routes/upgrade.ts';

/** Routers of the admin API, and the methods that each path supports. */
export interface AllRoutes {
  readonly routers: readonly OwnedRouter[];
  readonly table: RouteTable;
}

/** Collects all routes. Throws if a package contributes a duplicate or forbidden route. */
export function collectRoutes(api: ApiOptions): AllRoutes {
  const router = createRouter();
  addLoadRoutes(router, api);
  addStopRoute(router, api);
  addUpgradeRoute(router, api);
  addSchemaRoute(router, api);
  addHistoryRoutes(router, api);
  addProposalRoutes(router, api);
  addDashboardRoutes(router, api);
  const routers = [{ owner: 'the server', router, describe: ownOperations }, ...collectRouters(api)];
  addOpenApiRoute(router, routers, api);
  return { routers, table: tableOf(routers) };
}

/** Loads the API descriptions of the built-in routes. */
async function ownOperations(): Promise<AdminOperations> {
  return (await import('./openapi/operations.ts')).operations;
}
