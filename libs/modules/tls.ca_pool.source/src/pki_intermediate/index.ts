/** `tls.ca_pool.source.pki_intermediate`: intermediates of the authorities of this server. */
import { caPoolSources, type CaPool } from '@sluice/contracts';
import { defineModule, options, strings } from '@sluice/registry';
import { AuthorityPool } from '../common/authority-pool.ts';

/** The module. */
export const pkiIntermediateModule = defineModule(caPoolSources, {
  name: 'pki_intermediate',
  help: 'The intermediate certificates of authorities of the app `pki`.',
  config: options({ authority: strings('Ids of authorities.', { examples: [['local']] }) }),
  provision: (config, context): Promise<CaPool> =>
    AuthorityPool.provision(config.authority ?? [], (each) => each.intermediate, context),
});
