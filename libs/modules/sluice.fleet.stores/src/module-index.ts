/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('sluice.fleet.stores', {
  etcd: async () => (await import('./etcd/index.ts')).etcdModule,
  postgres: async () => (await import('./postgres/index.ts')).postgresModule,
  redis: async () => (await import('./redis/index.ts')).redisModule,
});
