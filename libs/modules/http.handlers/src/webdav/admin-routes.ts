/** Admin API routes for WebDAV locks: `/webdav/locks`. The routes list and remove locks, without changing the configuration. */
import { SluiceError } from '@sluice/base';
import type { AdminRoutes } from '@sluice/registry';
import type { LockService } from './lock-service.ts';
import type { Lock } from './lock-table.ts';

/** Maximum number of WebDAV locks in an admin API response. */
const maxListed = 1000;

/** Adds the admin API routes. `services` returns an empty list until a configuration contains the handler. */
export function addLockRoutes({ router, describe }: AdminRoutes, services: () => readonly LockService[]): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  router.get('/webdav/locks', ({ query }, response) => {
    const search = typeof query['search'] === 'string' ? query['search'] : '';
    const locks = services().flatMap((service) => service.list());
    response.json(
      locks
        .filter(({ path, user }) => path.includes(search) || user.includes(search))
        .slice(0, maxListed)
        .map(lockJson),
    );
  });
  router.delete('/webdav/locks/:token', ({ params }, response) => {
    if (!services().some((service) => service.remove(params.token)))
      throw new SluiceError(
        'ERR_ADMIN_PATH',
        `no WebDAV lock has the token ${JSON.stringify(params.token)}; GET /webdav/locks lists the locks`,
        { status: 404 },
      );
    response.json({ token: params.token });
  });
}

function lockJson({ token, path, href, deep, exclusive, user, expires }: Lock): object {
  const seconds = Math.max(0, (expires - Date.now()) / 1000);
  return { token, path, href, depth: deep ? 'infinity' : '0', exclusive, user, expires_in: seconds };
}
