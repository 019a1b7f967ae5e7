/** Reference documentation for the modules in this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'tls.get_certificate.http': {
      apps: {
        tls: {
          automation: {
            policies: [
              {
                subjects: ['example.com'],
                get_certificate: [{ via: 'http', url: 'http://127.0.0.1:9000/certificate' }],
              },
            ],
          },
        },
      },
    },
    'tls.get_certificate.selfsigned': {
      apps: { tls: { automation: { policies: [{ on_demand: true, get_certificate: [{ via: 'selfsigned' }] }] } } },
    },
    'tls.get_certificate.tailscale': {
      apps: {
        tls: {
          automation: { policies: [{ subjects: ['machine.tailnet.ts.net'], get_certificate: [{ via: 'tailscale' }] }] },
        },
      },
    },
  },
};
