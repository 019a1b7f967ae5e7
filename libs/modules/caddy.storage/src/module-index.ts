/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('caddy.storage', {
  etcd: async () => (await import('./etcd/index.ts')).etcdModule,
  file_system: async () => (await import('./file_system/index.ts')).fileSystemModule,
  postgres: async () => (await import('./postgres/index.ts')).postgresModule,
  redis: async () => (await import('./redis/index.ts')).redisModule,
  s3: async () => (await import('./s3/index.ts')).s3Module,
});
