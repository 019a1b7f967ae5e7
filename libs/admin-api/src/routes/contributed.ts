/** Collects the routers that packages contribute, and reads their paths and methods. */
import Router from 'router';
import { SluiceError } from '@sluice/base';
import type { AdminHandler, AdminOperations, AdminRouter, AdminRoutes } from '@sluice/registry';
import { readBody } from '../http/body.ts';
import type { ApiOptions } from '../api-options.ts';

export interface OwnedRouter {
  readonly owner: string;
  readonly router: ApiRouter;
  /** Loads the API descriptions of the package's routes. */
  describe: () => Promise<AdminOperations>;
}

/** Express's router, restricted to the interface that package routes may use. */
export type ApiRouter = AdminRouter & Pick<Router.Router, 'handle' | 'stack' | 'params'>;

export function createRouter(): ApiRouter {
  return Router({ caseSensitive: true, strict: true });
}

const nothingSaid = (): Promise<AdminOperations> => Promise.resolve({});

/** Supported methods of each path, across all routers. */
export type RouteTable = ReadonlyMap<string, ReadonlySet<string>>;

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Calls the `adminRoutes` hook. Each subscriber receives a separate router, so subscribers cannot affect the routes of other packages. */
export function collectRouters({ reconciler, bodyLimit }: ApiOptions): readonly OwnedRouter[] {
  const { adminRoutes } = reconciler.registry.hooks;
  const routers: OwnedRouter[] = [];
  adminRoutes.intercept({
    tap: ({ name }) => void routers.push({ owner: `package ${name}`, router: createRouter(), describe: nothingSaid }),
  });
  const given: AdminRoutes = {
    get router() {
      return (routers.at(-1) as OwnedRouter).router;
    },
    raw: readRaw(bodyLimit),
    describe: (load) => void ((routers.at(-1) as OwnedRouter).describe = load),
    server: reconciler,
  };
  adminRoutes.call(given);
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

function routesOf({ stack, params }: ApiRouter, owner: string): { path: string; method: string }[] {
  const refuse = (what: string): never => {
    throw new SluiceError(
      'ERR_ADMIN_ROUTE',
      `${owner} contributes ${what} to the admin API; only get, post, put, patch and delete with a path are supported`,
    );
  };
  if (Object.keys(params).length > 0) return refuse('a handler for a parameter (router.param)');
  return stack.flatMap(({ route }) => {
    if (route === undefined) return refuse('a handler for every request (router.use)');
    const { path } = route;
    if (typeof path !== 'string' || !path.startsWith('/')) return refuse(`a route whose path is ${String(path)}`);
    const used = new Set(route.stack.map(({ method = 'all' }) => method));
    const wrong = [...used].find((method) => !methods.has(method));
    return wrong === undefined ? [...used].map((method) => ({ path, method })) : refuse(`router.${wrong}(${path})`);
  });
}

function readRaw(limit: number): AdminHandler {
  return async (request, _response, next) => {
    request.body = await readBody(request, limit);
    next();
  };
}
