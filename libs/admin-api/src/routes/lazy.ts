/** Routes whose code is loaded by the first request. */
import { SluiceError } from '@sluice/base';
import type { AdminRouteName, AdminRouter } from '@sluice/registry';
import { createRouter, operationsOf, routesOf, type ApiRouter, type OwnedRouter } from './owned-router.ts';

/**
 * Adds routes to the router of `outer`. The first request calls `load`, which adds the same routes to the router of its argument. Requests
 * that arrive while it loads wait for it.
 */
export function addLazyRoutes(
  { owner, router, descriptions }: OwnedRouter,
  names: readonly AdminRouteName[],
  load: (inner: OwnedRouter) => Promise<void>,
): void {
  let opened: Promise<OwnedRouter> | null = null;
  const open = (): Promise<OwnedRouter> =>
    (opened ??= loaded(owner, names, load).catch((error: unknown) => {
      opened = null;
      throw error;
    }));
  const handle = async (...call: Parameters<ApiRouter['handle']>): Promise<void> =>
    (await open()).router.handle(...call);
  for (const name of names) {
    const [method = '', path = ''] = name.split(' ');
    router[method.toLowerCase() as keyof AdminRouter](path, handle);
  }
  descriptions.push(async () => operationsOf(await open()));
}

async function loaded(
  owner: string,
  names: readonly AdminRouteName[],
  load: (inner: OwnedRouter) => Promise<void>,
): Promise<OwnedRouter> {
  const inner: OwnedRouter = { owner, router: createRouter(), descriptions: [] };
  await load(inner);
  const added = routesOf(inner.router, owner).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const different = new Set(added).symmetricDifference(new Set<string>(names));
  if (different.size > 0)
    throw new SluiceError(
      'ERR_ADMIN_ROUTE',
      `${owner} declares other lazy admin routes than it adds: ${[...different].join(', ')}`,
    );
  return inner;
}
