import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    dynamic_dns: {
      apps: {
        dynamic_dns: {
          dns_provider: { name: 'gandi', bearer_token: '{env.GANDI_BEARER_TOKEN}' },
          domains: { 'example.com': ['@', 'www'] },
          check_interval: '5m',
          versions: { ipv6: false },
        },
      },
    },
  },
};
