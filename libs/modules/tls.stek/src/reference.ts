/** Reference documentation for the modules in this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'tls.stek.standard': {
      apps: { tls: { session_tickets: { key_source: { provider: 'standard' }, rotation_interval: '6h' } } },
    },
    'tls.stek.distributed': {
      apps: {
        tls: {
          session_tickets: {
            key_source: {
              provider: 'distributed',
              storage: { module: 'file_system', root: '/tmp/sluice-example/storage' },
            },
          },
        },
      },
    },
  },
};
