/** `caddy.network_proxy.none`: no proxy. */
import { networkProxies } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

/** The module. */
export const noneModule = defineModule(networkProxies, {
  name: 'none',
  help: 'Connects without a proxy.',
  config: options({}),
  provision: () => ({ url: '' }),
});
