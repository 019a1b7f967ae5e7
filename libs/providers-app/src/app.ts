/** The `providers` app, which watches configuration sources while it is active. */
import { apps, defineModule, inlineModuleMap, options } from '@sluice/registry';
import { providers } from './contract.ts';
import { providedConfig } from './provided-config.ts';
import { Watch } from './watch.ts';

export const providersAppModule = defineModule(apps, {
  name: 'providers',
  help: 'Providers, which generate routes, servers and certificates from containers or cluster resources. Routes in the configuration itself take precedence.',
  config: options({
    sources: inlineModuleMap(
      'Providers by name. Their routes are evaluated in the order of the providers. If one provider requires an address for HTTP and another requires the same address for layer 4, the provider that is listed first gets the address.',
      providers,
      'provider',
    ),
  }),
  async provision(config, context): Promise<object> {
    const provided = context.find(providedConfig);
    const watches: Watch[] = [];
    for (const [name, node] of Object.entries(config.sources ?? {})) {
      const provider = await context.loadInline(providers, node, 'provider', 'sources', name);
      if (provided !== undefined && context.roles.control)
        watches.push(new Watch(name, provider, provided, context.log.named(name)));
    }
    context.onCommit(() => {
      for (const watch of watches) watch.start();
    });
    context.onRetire(() => {
      for (const watch of watches) watch.stop();
    });
    return {};
  },
});
