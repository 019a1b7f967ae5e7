/** `caddy.network_proxy.none`: direct connections. */
import { networkProxies } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

export const noneModule = defineModule(networkProxies, {
  name: 'none',
  help: 'Connects directly, without a proxy.',
  config: options({}),
  provision: () => ({ url: '' }),
});
