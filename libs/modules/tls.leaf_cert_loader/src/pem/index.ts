/** `tls.leaf_cert_loader.pem`: contains client certificates in the configuration itself. */
import { defineModule, options, strings } from '@sluice/registry';
import { leafLoaders, type LeafLoader } from '@sluice/contracts';
import { certificatesIn } from '../common/certificates.ts';

export const pemModule = defineModule(leafLoaders, {
  name: 'pem',
  help: 'Reads accepted client certificates from the configuration itself.',
  config: options({ certificates: strings('PEM strings, each containing one or more certificates.') }),
  provision(config): LeafLoader {
    const texts = config.certificates ?? [];
    return {
      load: async () => texts.flatMap((text, index) => certificatesIn(text, `certificates[${index}]`)),
    };
  },
});
