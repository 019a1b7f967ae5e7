/** `tls.ca_pool.source.pki_root`: trusts the root certificates of the server's own CAs. */
import { caPoolSources, type CaPool } from '@sluice/contracts';
import { defineModule, options, strings } from '@sluice/registry';
import { AuthorityPool } from '../common/authority-pool.ts';

export const pkiRootModule = defineModule(caPoolSources, {
  name: 'pki_root',
  help: 'Trusts the root certificates of certificate authorities in the `pki` app.',
  config: options({
    authority: strings('IDs of certificate authorities in the `pki` app.', { examples: [['local']] }),
  }),
  provision: (config, context): Promise<CaPool> =>
    AuthorityPool.provision(config.authority ?? [], (each) => each.root, context),
});
