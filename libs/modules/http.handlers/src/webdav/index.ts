/**
 * `http.handlers.webdav`: serves a directory to WebDAV clients. This package does not use a WebDAV library. The npm packages webdav-server
 * and nephele (alpha) are HTTP servers based on `node:http` and Express, and they keep locks in the memory of one thread. `file_server`
 * serves the files, and a package parses XML.
 */
import type { Registry } from '@sluice/registry';
import type { WebdavModule } from './module.ts';

/** Registers the module and its admin API routes, which share the locks. */
export function registerWebdav(registry: Registry): void {
  let made: WebdavModule | null = null;
  const load = async (): Promise<WebdavModule> => {
    const { makeWebdavModule } = await import('./module.ts');
    return (made ??= makeWebdavModule());
  };
  registry.add({ namespace: 'http.handlers', name: 'webdav', load: async () => (await load()).descriptor });
  registry.hooks.adminRoutes.tap('http.handlers.webdav', ({ lazy }) =>
    lazy(['GET /webdav/locks', 'DELETE /webdav/locks/:token'], async () => {
      const { addLockRoutes } = await import('./admin-routes.ts');
      return (routes) => addLockRoutes(routes, () => [...(made?.services ?? [])].map(([, service]) => service));
    }),
  );
}
