/** What this package says in the reference. */
import type { PackageReference } from '@sluice/registry';

/** Of this package. */
export const reference: PackageReference = {
  examples: {
    storage: { storage: { module: 'file_system', root: '/tmp/sluice-example/storage' } },
  },
};
