/** Reference documentation for the modules in this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'tls.issuance.acme': {
      apps: {
        tls: {
          automation: {
            policies: [{ subjects: ['example.com'], issuers: [{ module: 'acme', email: 'admin@example.com' }] }],
          },
          certificates: { automate: ['example.com'] },
        },
      },
    },
    'tls.issuance.internal': {
      apps: {
        tls: {
          automation: { policies: [{ subjects: ['example.com'], issuers: [{ module: 'internal', lifetime: '24h' }] }] },
          certificates: { automate: ['example.com'] },
        },
      },
    },
    'tls.issuance.zerossl': {
      apps: {
        tls: {
          automation: {
            policies: [{ subjects: ['example.com'], issuers: [{ module: 'zerossl', api_key: '{env.ZEROSSL_KEY}' }] }],
          },
          certificates: { automate: ['example.com'] },
        },
      },
    },
  },
};
