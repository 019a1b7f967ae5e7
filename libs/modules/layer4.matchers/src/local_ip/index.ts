/** `layer4.matchers.local_ip`: matches the local IP address to which the client connected. */
import { layer4Matchers } from '@sluice/layer4-app';
import { defineModule } from '@sluice/registry';
import { rangeOptions, rangesOf } from '../common/ranges.ts';

export const localIpModule = defineModule(layer4Matchers, {
  name: 'local_ip',
  effect: 'pure',
  help: 'Matches connections by the local address that the client connected to.',
  config: rangeOptions,
  provision(config, context) {
    const contains = rangesOf(config, context);
    return { match: ({ facts }) => contains(facts.localAddress) };
  },
});
