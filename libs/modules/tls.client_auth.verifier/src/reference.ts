/** Reference documentation for the modules in this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns a server that accepts only listed client certificates. */
const clients = (...verifiers: JsonObject[]): JsonObject => ({
  apps: {
    http: {
      servers: {
        example: {
          listen: [':8443'],
          routes: [{ match: [{ host: ['example.com'] }], handle: [{ handler: 'static_response', body: 'hello' }] }],
          tls_connection_policies: [{ client_authentication: { mode: 'require', verifiers } }],
        },
      },
    },
    tls: {
      certificates: {
        load_files: [{ certificate: '/tmp/sluice-example/example.pem', key: '/tmp/sluice-example/example.key' }],
      },
    },
  },
});

export const reference: PackageReference = {
  examples: {
    'tls.client_auth.verifier.leaf': clients({
      verifier: 'leaf',
      leaf_certs_loaders: [{ loader: 'file', files: ['/tmp/sluice-example/example.pem'] }],
    }),
  },
};
