/** Reference documentation of this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'dns.providers.rfc2136': {
      apps: {
        tls: {
          dns: {
            name: 'rfc2136',
            server: '192.0.2.1:53',
            key_name: 'sluice',
            key_alg: 'hmac-sha256',
            key: 'c2VjcmV0IG9mIHRoZSBleGFtcGxl',
          },
        },
      },
    },
  },
};
