/** `tls.ca_pool.source.pki_root`: roots of the authorities of this server. */
import { caPoolSources, type CaPool } from '@sluice/contracts';
import { defineModule, options, strings } from '@sluice/registry';
import { AuthorityPool } from '../common/authority-pool.ts';

/** The module. */
export const pkiRootModule = defineModule(caPoolSources, {
  name: 'pki_root',
  help: 'The root certificates of authorities of the app `pki`.',
  config: options({ authority: strings('Ids of authorities.', { examples: [['local']] }) }),
  provision: (config, context): Promise<CaPool> =>
    AuthorityPool.provision(config.authority ?? [], (each) => each.root, context),
});
