/** Reference documentation of this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns an example configuration of a file server with compression. */
const site = (encodings: JsonObject): JsonObject => ({
  apps: {
    http: {
      servers: {
        example: {
          listen: [':8080'],
          routes: [
            {
              handle: [
                { handler: 'encode', encodings },
                { handler: 'file_server', root: '/tmp/sluice-example' },
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
    'http.encoders.br': site({ br: { quality: 5 } }),
    'http.encoders.gzip': site({ gzip: { level: 6 } }),
    'http.encoders.zstd': site({ zstd: { level: 'fastest' } }),
  },
};
