/** Reference documentation of this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'caddy.storage.etcd': {
      storage: { module: 'etcd', endpoints: ['10.0.0.1:2379', '10.0.0.2:2379', '10.0.0.3:2379'], prefix: '/caddy' },
    },
    'caddy.storage.s3': {
      storage: { module: 's3', bucket: 'certificates', region: 'eu-central-1', prefix: 'ssl' },
    },
    'caddy.storage.postgres': {
      storage: { module: 'postgres', host: '127.0.0.1', user: 'sluice', dbname: 'sluice', sslmode: 'verify-full' },
    },
    'caddy.storage.redis': {
      storage: { module: 'redis', address: ['127.0.0.1:6379'], username: 'sluice', password: '…' },
    },
    'caddy.storage.file_system': { storage: { module: 'file_system', root: '/tmp/sluice-example/storage' } },
  },
};
