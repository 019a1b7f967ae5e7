/** `http.matchers.remote_ip`: matches the IP address of the connection's peer, which may be a proxy. */
import { httpMatchers } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { rangeOptions, rangesOf } from '../common/ranges.ts';

export const remoteIpModule = defineModule(httpMatchers, {
  name: 'remote_ip',
  effect: 'pure',
  help: 'Matches requests by peer IP address, which may be the address of a proxy. To match the address reported by trusted proxies, use `client_ip`.',
  config: rangeOptions,
  provision(config, context) {
    const contains = rangesOf(config, context);
    return { match: ({ connection }) => contains(connection.remoteAddress) };
  },
});
