/** `tls.certificates.load_pem`: contains certificates in the configuration itself. */
import { defineModule, list, listOptions, options, string, text } from '@sluice/registry';
import { certificateLoaders } from '@sluice/tls-app';

export const loadPemModule = defineModule(certificateLoaders, {
  name: 'load_pem',
  help: 'Loads PEM certificates and keys from the configuration itself. Prefer files, because anyone who can read the configuration can read the keys.',
  config: listOptions(
    'Pairs of certificates and private keys.',
    options({
      certificate: string('Certificate in PEM format, followed by its intermediate certificates.'),
      key: string('Private key in PEM format.'),
      tags: list('Tags by which connection policies can select the certificate.', text()),
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
