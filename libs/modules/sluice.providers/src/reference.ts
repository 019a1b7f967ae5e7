/** Reference documentation of this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'sluice.providers.docker': {
      apps: { providers: { sources: { docker: { provider: 'docker', networks: ['ingress'] } } } },
    },
  },
};
