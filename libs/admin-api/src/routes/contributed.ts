/** Collects the routers that packages contribute, and reads their paths and methods. */
import { SluiceError } from '@sluice/base';
import type { AdminHandler, AdminRoutes } from '@sluice/registry';
import { readBody } from '../http/body.ts';
import type { ApiOptions } from '../api-options.ts';
import { addLazyRoutes } from './lazy.ts';
import { createRouter, routesOf, type OwnedRouter } from './owned-router.ts';

/** Supported methods of each path, across all routers. */
export type RouteTable = ReadonlyMap<string, ReadonlySet<string>>;

/** Calls the `adminRoutes` hook. Each subscriber receives a separate router, so subscribers cannot affect the routes of other packages. */
export function collectRouters({ reconciler, bodyLimit }: ApiOptions): readonly OwnedRouter[] {
  const { adminRoutes } = reconciler.registry.hooks;
  const routers: OwnedRouter[] = [];
  adminRoutes.intercept({
    tap: ({ name }) => void routers.push({ owner: `package ${name}`, router: createRouter(), descriptions: [] }),
  });
  const raw = readRaw(bodyLimit);
  const routesFor = (owned: () => OwnedRouter): AdminRoutes => ({
    get router() {
      return owned().router;
    },
    raw,
    describe: (load) => void owned().descriptions.push(load),
    lazy: (names, load) => addLazyRoutes(owned(), names, async (inner) => (await load())(routesFor(() => inner))),
    server: reconciler,
  });
  adminRoutes.call(routesFor(() => routers.at(-1) as OwnedRouter));
  return [...routers];
}

/**
 * Collects the paths and methods of all routers. Throws if two routes have the same method and path, because the second route would be
 * unreachable.
 */
export function tableOf(routers: readonly OwnedRouter[]): RouteTable {
  const owners = new Map<string, string>();
  const table = new Map<string, Set<string>>();
  for (const { owner, router } of routers) {
    for (const { path, method } of routesOf(router, owner)) {
      const key = `${method.toUpperCase()} ${path}`;
      const other = owners.get(key);
      // A single route may have several handlers, which run in order.
      if (other !== undefined)
        throw new SluiceError('ERR_ADMIN_ROUTE', `${other} and ${owner} both contribute the admin route ${key}`);
      owners.set(key, owner);
      table.set(path, (table.get(path) ?? new Set<string>()).add(method.toUpperCase()));
    }
  }
  return table;
}

function readRaw(limit: number): AdminHandler {
  return async (request, _response, next) => {
    request.body = await readBody(request, limit);
    next();
  };
}
