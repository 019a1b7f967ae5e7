/** `layer4.matchers.remote_ip`: matches the client's IP address. */
import { layer4Matchers } from '@sluice/layer4-app';
import { defineModule } from '@sluice/registry';
import { rangeOptions, rangesOf } from '../common/ranges.ts';

export const remoteIpModule = defineModule(layer4Matchers, {
  name: 'remote_ip',
  effect: 'pure',
  help: 'Matches connections by client IP address. If the `proxy_protocol` handler has read a PROXY protocol header, the address in the header is used. Otherwise, the peer address is used.',
  config: rangeOptions,
  provision(config, context) {
    const contains = rangesOf(config, context);
    return { match: ({ facts }) => contains(facts.remoteAddress) };
  },
});
