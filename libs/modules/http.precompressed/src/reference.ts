/** Reference documentation for the modules in this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns a configuration with a file server for precompressed files. */
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
