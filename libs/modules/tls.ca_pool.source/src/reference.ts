/** Reference documentation for the modules in this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns a server that requires client certificates issued by these CAs. */
const clients = (ca: JsonObject): JsonObject => ({
  apps: {
    http: {
      servers: {
        example: {
          listen: [':8443'],
          routes: [{ match: [{ host: ['example.com'] }], handle: [{ handler: 'static_response', body: 'hello' }] }],
          tls_connection_policies: [{ client_authentication: { ca, mode: 'require_and_verify' } }],
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
    'tls.ca_pool.source.combined': clients({
      provider: 'combined',
      sources: [{ provider: 'system' }, { provider: 'file', pem_files: ['/tmp/sluice-example/example.pem'] }],
    }),
    'tls.ca_pool.source.file': clients({ provider: 'file', pem_files: ['/tmp/sluice-example/example.pem'] }),
    'tls.ca_pool.source.http': clients({ provider: 'http', endpoints: ['http://127.0.0.1:9000/authorities.pem'] }),
    'tls.ca_pool.source.inline': clients({
      provider: 'inline',
      trusted_ca_certs: [
        'MIIBhjCCASugAwIBAgIUYne8gcQ0jGFNlewkwzopnr2WVgowCgYIKoZIzj0EAwIwFzEVMBMGA1UEAwwMRXhhbXBsZSBSb290MCAXDTI2MTEyMjEyMzIwNVoYDzIxMjYxMDI5MTIzMjA1WjAXMRUwEwYDVQQDDAxFeGFtcGxlIFJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATbmlpSyhPy/4lNDFqwmz5GYPfAn6QOrdmNG7jrcoKRVnjv7/gaeFGAPWMQbccFVekMC2YTf/NQlGmk5oAQyIVFo1MwUTAdBgNVHQ4EFgQUXiHXX+SCS169cMbAEqVOCy1aOZMwHwYDVR0jBBgwFoAUXiHXX+SCS169cMbAEqVOCy1aOZMwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAwBxXPULUUmLvTR667PRasp754wC5mc86gFvKUdzMoSQCIQCRtKPvTu3pHOestzYkxkYn+MWxKOT08SE0fZFrxZT/2Q==',
      ],
    }),
    'tls.ca_pool.source.pki_intermediate': clients({ provider: 'pki_intermediate', authority: ['local'] }),
    'tls.ca_pool.source.pki_root': clients({ provider: 'pki_root', authority: ['local'] }),
    'tls.ca_pool.source.storage': clients({
      provider: 'storage',
      storage: { module: 'file_system', root: '/tmp/sluice-example/storage' },
      pem_keys: ['authorities/example.pem'],
    }),
    'tls.ca_pool.source.system': clients({ provider: 'system' }),
  },
};
