/** `tls.certificates.load_pem`: certificates that stand in the configuration. */
import { defineModule, list, listOptions, options, string, text } from '@sluice/registry';
import { certificateLoaders } from '@sluice/tls-app';

/** The module. */
export const loadPemModule = defineModule(certificateLoaders, {
  name: 'load_pem',
  help: 'Certificates and keys as PEM in the configuration itself. Prefer files: who reads the configuration has the keys.',
  config: listOptions(
    'Certificates with their keys.',
    options({
      certificate: string('The certificate, and those between it and the root.'),
      key: string('The private key.'),
      tags: list('Names to select the certificate by.', text()),
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
