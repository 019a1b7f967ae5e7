import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    storage: { storage: { module: 'file_system', root: '/tmp/sluice-example/storage' } },
  },
};
