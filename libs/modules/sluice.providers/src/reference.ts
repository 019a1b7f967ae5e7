/** Reference documentation for the modules in this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'sluice.providers.docker': {
      apps: { providers: { sources: { docker: { provider: 'docker', networks: ['ingress'] } } } },
    },
    'sluice.providers.ingress': {
      apps: {
        providers: {
          sources: {
            ingress: {
              provider: 'ingress',
              kubeconfig: '/etc/sluice/kubeconfig',
              status_addresses: ['203.0.113.10'],
            },
          },
        },
      },
    },
    'sluice.providers.kubernetes': {
      apps: {
        providers: {
          sources: {
            kubernetes: {
              provider: 'kubernetes',
              kubeconfig: '/etc/sluice/kubeconfig',
              status_addresses: ['203.0.113.10'],
            },
          },
        },
      },
    },
  },
};
