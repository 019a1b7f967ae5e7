/** Creates the `http.handlers.webdav` module, and exposes the locks of the control thread to the admin API. */
import { join } from 'node:path';
import { dataDirectory, parseDuration } from '@sluice/base';
import { httpHandlers } from '@sluice/http-app';
import { defineModule, ResourcePool } from '@sluice/registry';
import { threadBusToken } from '@sluice/threads';
import { loadContentTypes } from '../file_server/content-type.ts';
import { FileServer } from '../file_server/file-server.ts';
import { Precompressed } from '../file_server/precompressed.ts';
import { Locks, LockService } from './lock-service.ts';
import { webdavOptions } from './options.ts';
import { Webdav } from './webdav.ts';

const defaultMaxEntries = 50_000;
const defaultMaxLocks = 10_000;
const defaultLockTimeout = 3600 * 1000;

/** The WebDAV module of one registry, with its locks. */
export interface WebdavModule {
  readonly descriptor: ReturnType<typeof makeDescriptor>;
  /** Contains the lock service while the control thread's configuration has a WebDAV handler. */
  readonly services: ResourcePool<LockService>;
}

/** Creates the module for a registry. The pool keeps locks across configuration reloads. */
export function makeWebdavModule(): WebdavModule {
  const services = new ResourcePool<LockService>();
  return { descriptor: makeDescriptor(services), services };
}

function makeDescriptor(services: ResourcePool<LockService>) {
  return defineModule(httpHandlers, {
    name: 'webdav',
    effect: 'consumes',
    help: 'WebDAV server (RFC 4918, classes 1 and 2). Clients can read and write the files in a directory, set properties, and lock resources. Locks are shared by all threads and survive configuration changes. Use together with authentication. Compatible with the Caddy plugin mholt/caddy-webdav.',
    config: webdavOptions,
    async provision(config, context) {
      const bus = context.use(threadBusToken);
      if (context.roles.control) await context.acquire(services, 'locks', () => new LockService(bus));
      const timeout = config.max_lock_timeout == null ? defaultLockTimeout : parseDuration(config.max_lock_timeout);
      if (!(timeout >= 1000)) throw context.error('max_lock_timeout must be at least one second', 'max_lock_timeout');
      const typeOf = await loadContentTypes();
      const hide = config.hide ?? [];
      const files = new FileServer(
        {},
        { typeOf, precompressed: new Precompressed([], []), browse: null, fileSystems: null, log: context.log },
      );
      return new Webdav({
        root: config.root,
        prefix: config.prefix ?? '',
        hide,
        properties: config.properties || join(dataDirectory(), 'webdav'),
        settings: {
          hidesAny: hide.length > 0,
          maxEntries: config.max_entries ?? defaultMaxEntries,
          maxLocks: config.max_locks ?? defaultMaxLocks,
          maxLockTimeout: timeout,
          typeOf,
          files,
          locks: new Locks(bus),
        },
      });
    },
  });
}
