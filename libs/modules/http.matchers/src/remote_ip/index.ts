/** `http.matchers.remote_ip`: matches the peer address, which may belong to a proxy. */
import { httpMatchers } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { rangeOptions, rangesOf } from '../common/ranges.ts';

export const remoteIpModule = defineModule(httpMatchers, {
  name: 'remote_ip',
  effect: 'pure',
  help: 'Matches by peer address, which may be a proxy. Use `client_ip` for the client address reported by trusted proxies.',
  config: rangeOptions,
  provision(config, context) {
    const contains = rangesOf(config, context);
    return { match: ({ connection }) => contains(connection.remoteAddress) };
  },
});
