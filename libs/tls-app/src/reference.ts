/** Reference documentation of this package. */
import type { PackageReference } from '@sluice/registry';
import { cachedManagedCert, certFailed, certObtained, certObtaining, certOcspRevoked } from './automation/events.ts';

export const reference: PackageReference = {
  examples: {
    tls: {
      apps: {
        tls: {
          certificates: { automate: ['example.com'] },
          automation: { policies: [{ issuers: [{ module: 'acme', email: 'admin@example.com' }] }] },
        },
      },
    },
  },
  events: [certObtaining, certObtained, certFailed, cachedManagedCert, certOcspRevoked],
};
