/**
 * `http.handlers.webdav`: serves a directory to WebDAV clients.
 *
 * Implemented here, not by a library: the npm packages webdav-server and nephele (alpha) are HTTP servers themselves, on `node:http` and Express,
 * with locks in the memory of one thread. Files are served by the code of `file_server`; only the XML parser is a package.
 */
import type { Registry } from '@sluice/registry';
import { addLockRoutes } from './admin-routes.ts';
import type { WebdavModule } from './module.ts';

/** Adds the module and its admin API routes, which use the same locks. */
export function registerWebdav(registry: Registry): void {
  let made: WebdavModule | null = null;
  const load = async (): Promise<WebdavModule> => {
    const { makeWebdavModule } = await import('./module.ts');
    return (made ??= makeWebdavModule());
  };
  registry.add({ namespace: 'http.handlers', name: 'webdav', load: async () => (await load()).descriptor });
  registry.hooks.adminRoutes.tap('http.handlers.webdav', (routes) =>
    addLockRoutes(routes, () => [...(made?.services ?? [])].map(([, service]) => service)),
  );
}
