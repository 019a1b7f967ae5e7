/** Reference documentation of the options in this package. */
import type { PackageReference } from '@sluice/registry';
import { adminMetrics } from './admin-metrics.ts';

export const reference: PackageReference = {
  examples: {
    admin: { admin: { listen: 'localhost:2019', config: { persist: true }, origins: ['localhost:2019'] } },
  },
  metrics: Object.values(adminMetrics),
};
