/** `http.matchers.client_ip`: by the address of the client, as trusted proxies name it. */
import { httpMatchers } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { rangeOptions, rangesOf } from '../common/ranges.ts';

/** The module. */
export const clientIpModule = defineModule(httpMatchers, {
  name: 'client_ip',
  effect: 'pure',
  help: 'Matches by the address of the client: that of the peer, or what a proxy that the server trusts says.',
  config: rangeOptions,
  provision(config, context) {
    const contains = rangesOf(config, context);
    return { match: (exchange) => contains(exchange.clientIp) };
  },
});
