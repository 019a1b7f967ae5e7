/** `layer4.proxy.selection_policies.random_choose`: selects the upstream with the fewest connections from a random sample. */
import { leastRequests, sampleUpstreams } from '@sluice/http-app';
import { layer4Policies } from '@sluice/layer4-app';
import { defineModule, integer, options } from '@sluice/registry';

export const randomChooseModule = defineModule(layer4Policies, {
  name: 'random_choose',
  help: 'Picks several upstreams at random, and selects the one with the fewest connections.',
  config: options({ choose: integer('Number of upstreams to pick at random, at least 2. Default: 2.') }),
  provision(config, context) {
    const count = config.choose || 2;
    if (count < 2) throw context.error(`must be at least 2, not ${count}`, 'choose');
    return {
      select: (upstreams, connection) =>
        leastRequests(sampleUpstreams(upstreams, count, connection, Math.random), connection, Math.random),
    };
  },
});
