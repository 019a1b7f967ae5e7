/** `tls.leaf_cert_loader.pem`: certificates in the configuration itself. */
import { defineModule, options, strings } from '@sluice/registry';
import { leafLoaders, type LeafLoader } from '@sluice/contracts';
import { certificatesIn } from '../common/certificates.ts';

/** The module. */
export const pemModule = defineModule(leafLoaders, {
  name: 'pem',
  help: 'Certificates of clients that stand in the configuration.',
  config: options({ certificates: strings('Texts with one or more certificates each, as PEM.') }),
  provision(config): LeafLoader {
    const texts = config.certificates ?? [];
    return {
      load: async () => texts.flatMap((text, index) => certificatesIn(text, `certificates[${index}]`)),
    };
  },
});
