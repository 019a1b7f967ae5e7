/** The module `tls.certificates.load_pem`: certificates in the configuration itself. */
import { defineModule, list, listOptions, options, string, text } from '@sluice/registry';
import { certificateLoaders } from '@sluice/tls-app';

export const loadPemModule = defineModule(certificateLoaders, {
  name: 'load_pem',
  help: 'Certificates and keys in PEM format in the configuration itself. Prefer files: anyone who can read the configuration can read the keys.',
  config: listOptions(
    'Certificates with their keys.',
    options({
      certificate: string('Certificate, followed by its intermediates.'),
      key: string('Private key.'),
      tags: list('Tags for selecting the certificate.', text()),
    }),
  ),
  provision: (config) => {
    const certificates = config.map((pair, i) => ({
      chain: pair.certificate ?? '',
      key: pair.key ?? '',
      tags: pair.tags ?? [],
      source: `load_pem[${i}]`,
    }));
    return { load: () => Promise.resolve(certificates) };
  },
});
