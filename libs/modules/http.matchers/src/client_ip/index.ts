/** `http.matchers.client_ip`: matches the client IP, taking headers from trusted proxies into account. */
import { httpMatchers } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { rangeOptions, rangesOf } from '../common/ranges.ts';

export const clientIpModule = defineModule(httpMatchers, {
  name: 'client_ip',
  effect: 'pure',
  help: 'Matches requests by client IP address. If the peer is a trusted proxy, the address that it reports is used. Otherwise, the peer address is used.',
  config: rangeOptions,
  provision(config, context) {
    const contains = rangesOf(config, context);
    return { match: (exchange) => contains(exchange.clientIp) };
  },
});
