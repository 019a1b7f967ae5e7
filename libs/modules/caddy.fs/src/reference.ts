/** What this package says in the reference. */
import type { PackageReference } from '@sluice/registry';

/** Of this package. */
export const reference: PackageReference = {
  examples: {
    'caddy.filesystems': { apps: { 'caddy.filesystems': { filesystems: [] } } },
  },
};
