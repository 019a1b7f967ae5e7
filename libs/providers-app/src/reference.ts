/** Reference documentation of the providers package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    providers: {
      apps: { providers: { sources: { docker: { provider: 'docker', endpoint: 'unix:///var/run/docker.sock' } } } },
    },
  },
};
