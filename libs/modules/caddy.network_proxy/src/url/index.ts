/** The module `caddy.network_proxy.url`, which uses a single proxy for all connections. */
import { networkProxies } from '@sluice/http-app';
import { defineModule, options, string } from '@sluice/registry';

export const urlModule = defineModule(networkProxies, {
  name: 'url',
  help: 'Connects through a proxy.',
  config: options({
    url: string(
      'Proxy URL with the scheme `http`, `https` or `socks5`, optionally with `user:password@`. May contain global placeholders.',
    ),
  }),
  provision: (config) => ({ url: config.url ?? '' }),
});
