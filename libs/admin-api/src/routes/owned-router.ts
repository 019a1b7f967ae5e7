/** Router with the routes of one package, and their API descriptions. */
import Router from 'router';
import { SluiceError } from '@sluice/base';
import type { AdminOperations, AdminRouter } from '@sluice/registry';

export interface OwnedRouter {
  readonly owner: string;
  readonly router: ApiRouter;
  /** Load the API descriptions of the owner's routes. */
  readonly descriptions: (() => Promise<AdminOperations>)[];
}

/** Express's router, restricted to the interface that package routes may use. */
export type ApiRouter = AdminRouter & Pick<Router.Router, 'handle' | 'stack' | 'params'>;

export function createRouter(): ApiRouter {
  return Router({ caseSensitive: true, strict: true });
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Loads the API descriptions of an owner's routes. */
export async function operationsOf({ descriptions }: OwnedRouter): Promise<AdminOperations> {
  const loaded = await Promise.all(descriptions.map((load) => load()));
  return Object.fromEntries(loaded.flatMap((operations) => Object.entries(operations)));
}

/** Returns the routes of a router. Throws if the router contains anything else. */
export function routesOf({ stack, params }: ApiRouter, owner: string): { path: string; method: string }[] {
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
