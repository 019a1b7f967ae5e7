/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'caddy.storage',
    name: 'etcd',
    load: async () => (await import('./etcd/index.ts')).etcdModule,
  },
  {
    namespace: 'caddy.storage',
    name: 'file_system',
    load: async () => (await import('./file_system/index.ts')).fileSystemModule,
  },
  {
    namespace: 'caddy.storage',
    name: 'postgres',
    load: async () => (await import('./postgres/index.ts')).postgresModule,
  },
  {
    namespace: 'caddy.storage',
    name: 'redis',
    load: async () => (await import('./redis/index.ts')).redisModule,
  },
  {
    namespace: 'caddy.storage',
    name: 's3',
    load: async () => (await import('./s3/index.ts')).s3Module,
  },
];
