/** What this package says in the reference. */
import type { PackageReference } from '@sluice/registry';
import { cachedManagedCert, certFailed, certObtained, certObtaining, certOcspRevoked } from './automation/events.ts';

/** Of this package. */
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
