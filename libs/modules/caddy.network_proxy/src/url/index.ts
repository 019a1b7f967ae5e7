/** `caddy.network_proxy.url`: one proxy for everything. */
import { networkProxies } from '@sluice/http-app';
import { defineModule, options, string } from '@sluice/registry';

/** The module. */
export const urlModule = defineModule(networkProxies, {
  name: 'url',
  help: 'Connects through one proxy.',
  config: options({
    url: string('`http://`, `https://` or `socks5://`, maybe with `user:password@`; may contain global placeholders.'),
  }),
  provision: (config) => ({ url: config.url ?? '' }),
});
