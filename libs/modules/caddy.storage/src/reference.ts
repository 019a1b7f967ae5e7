/** What this package says in the reference. */
import type { PackageReference } from '@sluice/registry';

/** Of this package. */
export const reference: PackageReference = {
  examples: {
    'caddy.storage.postgres': {
      storage: { module: 'postgres', host: '127.0.0.1', user: 'sluice', dbname: 'sluice', sslmode: 'verify-full' },
    },
    'caddy.storage.redis': {
      storage: { module: 'redis', address: ['127.0.0.1:6379'], username: 'sluice', password: '…' },
    },
    'caddy.storage.file_system': { storage: { module: 'file_system', root: '/tmp/sluice-example/storage' } },
  },
};
