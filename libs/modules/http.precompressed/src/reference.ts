/** What this package says in the reference. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Files that were compressed before. */
const site = (precompressed: JsonObject): JsonObject => ({
  apps: {
    http: {
      servers: {
        example: {
          listen: [':8080'],
          routes: [{ handle: [{ handler: 'file_server', root: '/tmp/sluice-example', precompressed }] }],
        },
      },
    },
  },
});

export const reference: PackageReference = {
  examples: {
    'http.precompressed.br': site({ br: {} }),
    'http.precompressed.gzip': site({ gzip: {} }),
    'http.precompressed.zstd': site({ zstd: {} }),
  },
};
