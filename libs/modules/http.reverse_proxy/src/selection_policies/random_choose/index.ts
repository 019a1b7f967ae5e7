/** `http.reverse_proxy.selection_policies.random_choose`: selects the upstream with the fewest requests in flight from a random sample. */
import {
  leastRequests,
  randomPolicy,
  requestsInFlight,
  sampleUpstreams,
  selectionPolicies,
  type SelectionPolicy,
} from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';

export const randomChooseModule = defineModule(selectionPolicies, {
  name: 'random_choose',
  help: 'Picks several upstreams at random, and selects the one with the fewest in-flight requests.',
  config: options({ choose: integer('Number of upstreams to pick at random, at least 2. Default: 2.') }),
  provision(config, context): SelectionPolicy {
    const count = config.choose || 2;
    if (count < 2) throw context.error(`must be at least 2, not ${count}`, 'choose');
    return randomPolicy(
      (upstreams, exchange, chance) =>
        leastRequests(sampleUpstreams(upstreams, count, exchange, chance), exchange, chance),
      requestsInFlight,
      // An upstream with few requests in flight is selected almost every time it is in the sample.
      (share, upstreams) => share / Math.min(count, upstreams),
    );
  },
});
