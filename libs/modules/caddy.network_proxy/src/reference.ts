/** Reference documentation of this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns an example `reverse_proxy` handler with these options. */
const proxy = (options: JsonObject): JsonObject => ({
  apps: {
    http: {
      servers: {
        example: {
          listen: [':8080'],
          routes: [
            {
              handle: [
                {
                  handler: 'reverse_proxy',
                  upstreams: [{ dial: 'localhost:9000' }, { dial: 'localhost:9001' }],
                  ...options,
                },
              ],
            },
          ],
        },
      },
    },
  },
});

export const reference: PackageReference = {
  examples: {
    'caddy.network_proxy.none': proxy({ transport: { protocol: 'http', network_proxy: { from: 'none' } } }),
    'caddy.network_proxy.url': proxy({
      transport: { protocol: 'http', network_proxy: { from: 'url', url: 'http://proxy.example.com:3128' } },
    }),
  },
};
