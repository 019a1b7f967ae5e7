/** Reference documentation for the modules in this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'tls.permission.http': {
      apps: {
        tls: {
          automation: {
            on_demand: { permission: { module: 'http', endpoint: 'http://127.0.0.1:9000/allowed' } },
            policies: [{ on_demand: true }],
          },
        },
      },
    },
  },
};
