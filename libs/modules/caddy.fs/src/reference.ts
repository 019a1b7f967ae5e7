/** Reference documentation of this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'caddy.filesystems': { apps: { 'caddy.filesystems': { filesystems: [] } } },
  },
};
