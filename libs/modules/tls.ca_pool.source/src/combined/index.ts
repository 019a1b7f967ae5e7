/** `tls.ca_pool.source.combined`: combines the CA certificates of several sources. */
import { caPoolSources, type CaPool } from '@sluice/contracts';
import { defineModule, inlineModules, options } from '@sluice/registry';

export const combinedModule = defineModule(caPoolSources, {
  name: 'combined',
  help: 'Combines the trusted certificate authorities from several sources.',
  config: options({
    sources: inlineModules(
      'Sources of certificate authorities to combine. At least one is required.',
      caPoolSources,
      'provider',
    ),
  }),
  async provision(config, context): Promise<CaPool> {
    if ((config.sources ?? []).length === 0) throw context.error('must have at least one source', 'sources');
    const pools = await context.loadInlineList(caPoolSources, config.sources ?? [], 'provider', 'sources');
    return new CombinedPool(pools);
  },
});

/** CA pool that queries its sources on each use, because their certificates may change. */
class CombinedPool implements CaPool {
  readonly #pools: readonly CaPool[];

  constructor(pools: readonly CaPool[]) {
    this.#pools = pools;
  }

  get certificates(): readonly string[] {
    return [...new Set(this.#pools.flatMap(({ certificates }) => certificates))];
  }
}
