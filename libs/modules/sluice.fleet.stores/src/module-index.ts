/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'sluice.fleet.stores',
    name: 'etcd',
    load: async () => (await import('./etcd/index.ts')).etcdModule,
  },
  {
    namespace: 'sluice.fleet.stores',
    name: 'postgres',
    load: async () => (await import('./postgres/index.ts')).postgresModule,
  },
  {
    namespace: 'sluice.fleet.stores',
    name: 'redis',
    load: async () => (await import('./redis/index.ts')).redisModule,
  },
];
