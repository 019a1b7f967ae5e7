/** Reference documentation of this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'caddy.config_loaders.http': {
      admin: {
        config: {
          load: {
            module: 'http',
            url: 'https://config.example.com/sluice.json',
            header: { Authorization: ['Bearer {env.TOKEN}'] },
          },
          load_delay: '1m',
        },
      },
    },
  },
};
