/** Reference documentation for the modules in this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns a configuration whose `tls` app has this certificate loader. */
const certificates = (from: JsonObject): JsonObject => ({ apps: { tls: { certificates: from } } });

export const reference: PackageReference = {
  examples: {
    'tls.certificates.automate': certificates({ automate: ['example.com', '*.example.com'] }),
    'tls.certificates.load_files': certificates({
      load_files: [
        { certificate: '/tmp/sluice-example/example.pem', key: '/tmp/sluice-example/example.key', tags: ['example'] },
      ],
    }),
    'tls.certificates.load_folders': certificates({ load_folders: ['/tmp/sluice-example/certificates'] }),
    // This certificate was generated for the example and is not used elsewhere.
    'tls.certificates.load_pem': certificates({
      load_pem: [
        {
          certificate:
            '-----BEGIN CERTIFICATE-----\nMIIBhjCCASugAwIBAgIUYne8gcQ0jGFNlewkwzopnr2WVgowCgYIKoZIzj0EAwIw\nFzEVMBMGA1UEAwwMRXhhbXBsZSBSb290MCAXDTI2MTEyMjEyMzIwNVoYDzIxMjYx\nMDI5MTIzMjA1WjAXMRUwEwYDVQQDDAxFeGFtcGxlIFJvb3QwWTATBgcqhkjOPQIB\nBggqhkjOPQMBBwNCAATbmlpSyhPy/4lNDFqwmz5GYPfAn6QOrdmNG7jrcoKRVnjv\n7/gaeFGAPWMQbccFVekMC2YTf/NQlGmk5oAQyIVFo1MwUTAdBgNVHQ4EFgQUXiHX\nX+SCS169cMbAEqVOCy1aOZMwHwYDVR0jBBgwFoAUXiHXX+SCS169cMbAEqVOCy1a\nOZMwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAwBxXPULUUmLv\nTR667PRasp754wC5mc86gFvKUdzMoSQCIQCRtKPvTu3pHOestzYkxkYn+MWxKOT0\n8SE0fZFrxZT/2Q==\n-----END CERTIFICATE-----\n',
          key: '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdGQ6JGEr979fLZ/y\njB8XBaleM1rpr2EttRF6pqOIlIOhRANCAATbmlpSyhPy/4lNDFqwmz5GYPfAn6QO\nrdmNG7jrcoKRVnjv7/gaeFGAPWMQbccFVekMC2YTf/NQlGmk5oAQyIVF\n-----END PRIVATE KEY-----\n',
        },
      ],
    }),
    'tls.certificates.load_storage': certificates({
      load_storage: {
        storage: { module: 'file_system', root: '/tmp/sluice-example/storage' },
        pairs: [{ certificate: 'own/example.pem', key: 'own/example.key' }],
      },
    }),
  },
};
