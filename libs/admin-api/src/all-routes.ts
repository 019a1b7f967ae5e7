/** Collects all admin API routes: the built-in routes and the routes that packages contribute. */
import type { AdminOperations, AdminRouteName } from '@sluice/registry';
import { addOpenApiRoute } from './openapi/route.ts';
import type { ApiOptions } from './api-options.ts';
import { collectRouters, tableOf, type RouteTable } from './routes/contributed.ts';
import { addLazyRoutes } from './routes/lazy.ts';
import { createRouter, type OwnedRouter } from './routes/owned-router.ts';
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

const proposalRoutes: readonly AdminRouteName[] = [
  'POST /proposals',
  'POST /explain/tests',
  'GET /proposals',
  'GET /proposals/:id',
  'GET /proposals/:id/report',
  'GET /reports/key',
  'DELETE /proposals/:id',
  'POST /approvals/:id',
];

/** Collects all routes. Throws if a package contributes a duplicate or forbidden route. */
export function collectRoutes(api: ApiOptions): AllRoutes {
  const router = createRouter();
  addLoadRoutes(router, api);
  addStopRoute(router, api);
  addUpgradeRoute(router, api);
  addSchemaRoute(router, api);
  addHistoryRoutes(router, api);
  addDashboardRoutes(router, api);
  const own = { owner: 'the server', router, descriptions: [ownOperations] };
  addLazyRoutes(own, proposalRoutes, async (inner) =>
    (await import('./proposals/routes.ts')).addProposalRoutes(inner.router, api),
  );
  const routers = [own, ...collectRouters(api)];
  addOpenApiRoute(router, routers, api);
  return { routers, table: tableOf(routers) };
}

/** Loads the API descriptions of the built-in routes. */
async function ownOperations(): Promise<AdminOperations> {
  return (await import('./openapi/operations.ts')).operations;
}
