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
    'tls.leaf_cert_loader.file': clients({
      verifier: 'leaf',
      leaf_certs_loaders: [{ loader: 'file', files: ['/tmp/sluice-example/example.pem'] }],
    }),
    'tls.leaf_cert_loader.folder': clients({
      verifier: 'leaf',
      leaf_certs_loaders: [{ loader: 'folder', folders: ['/tmp/sluice-example/clients'] }],
    }),
    'tls.leaf_cert_loader.pem': clients({
      verifier: 'leaf',
      leaf_certs_loaders: [
        {
          loader: 'pem',
          certificates: [
            '-----BEGIN CERTIFICATE-----\nMIIBhjCCASugAwIBAgIUYne8gcQ0jGFNlewkwzopnr2WVgowCgYIKoZIzj0EAwIw\nFzEVMBMGA1UEAwwMRXhhbXBsZSBSb290MCAXDTI2MTEyMjEyMzIwNVoYDzIxMjYx\nMDI5MTIzMjA1WjAXMRUwEwYDVQQDDAxFeGFtcGxlIFJvb3QwWTATBgcqhkjOPQIB\nBggqhkjOPQMBBwNCAATbmlpSyhPy/4lNDFqwmz5GYPfAn6QOrdmNG7jrcoKRVnjv\n7/gaeFGAPWMQbccFVekMC2YTf/NQlGmk5oAQyIVFo1MwUTAdBgNVHQ4EFgQUXiHX\nX+SCS169cMbAEqVOCy1aOZMwHwYDVR0jBBgwFoAUXiHXX+SCS169cMbAEqVOCy1a\nOZMwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAwBxXPULUUmLv\nTR667PRasp754wC5mc86gFvKUdzMoSQCIQCRtKPvTu3pHOestzYkxkYn+MWxKOT0\n8SE0fZFrxZT/2Q==\n-----END CERTIFICATE-----\n',
          ],
        },
      ],
    }),
    'tls.leaf_cert_loader.storage': clients({
      verifier: 'leaf',
      leaf_certs_loaders: [
        {
          loader: 'storage',
          storage: { module: 'file_system', root: '/tmp/sluice-example/storage' },
          certificates: ['authorities/example.pem'],
        },
      ],
    }),
  },
};
