/** Reference documentation for the modules in this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

const proxy = (policy: string, options: JsonObject = {}): [string, JsonObject] => [
  `layer4.proxy.selection_policies.${policy}`,
  {
    apps: {
      layer4: {
        servers: {
          example: {
            listen: [':5000'],
            routes: [
              {
                handle: [
                  {
                    handler: 'proxy',
                    upstreams: [{ dial: ['10.0.0.1:22'], weight: 2 }, { dial: ['10.0.0.2:22'] }],
                    load_balancing: { selection: { policy, ...options } },
                  },
                ],
              },
            ],
          },
        },
      },
    },
  },
];

export const reference: PackageReference = {
  examples: Object.fromEntries([
    proxy('first'),
    proxy('ip_hash'),
    proxy('least_conn'),
    proxy('random'),
    proxy('random_choose', { choose: 2 }),
    proxy('round_robin'),
    proxy('weighted_round_robin'),
  ]),
};
