/** `tls.ca_pool.source.pki_intermediate`: trusts the intermediate certificates of the server's own CAs. */
import { caPoolSources, type CaPool } from '@sluice/contracts';
import { defineModule, options, strings } from '@sluice/registry';
import { AuthorityPool } from '../common/authority-pool.ts';

export const pkiIntermediateModule = defineModule(caPoolSources, {
  name: 'pki_intermediate',
  help: 'Trusts the intermediate certificates of certificate authorities in the `pki` app.',
  config: options({
    authority: strings('IDs of certificate authorities in the `pki` app.', { examples: [['local']] }),
  }),
  provision: (config, context): Promise<CaPool> =>
    AuthorityPool.provision(config.authority ?? [], (each) => each.intermediate, context),
});
