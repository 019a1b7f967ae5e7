/** The module `dynamic_dns.ip_sources.upnp`, which queries the router for its external address. */
import { addressSources, type AddressSource } from '@sluice/contracts';
import { defineModule, options, string } from '@sluice/registry';

export const upnpModule = defineModule(addressSources, {
  name: 'upnp',
  help: "Queries the router's external address over UPnP.",
  config: options({
    endpoint: string("URL of the router's device description. Default: the first router that responds to a search."),
  }),
  provision(config, context): AddressSource {
    const endpoint = config.endpoint ?? '';
    if (endpoint !== '' && !/^https?:\/\//.test(endpoint))
      throw context.error(`${JSON.stringify(endpoint)} is not a URL`, 'endpoint');
    return {
      async addresses(_wanted, signal) {
        const { externalAddress } = await import('./gateway.ts');
        const { findGateway } = await import('./discovery.ts');
        return [await externalAddress(endpoint || (await findGateway(signal)), signal)];
      },
    };
  },
});
