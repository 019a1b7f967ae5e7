/** `http.reverse_proxy.selection_policies.random_choose`: the least busy of a few. */
import { selectionPolicies, type Exchange, type SelectionPolicy, type Upstream } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';
import { randomPolicy, requestsInFlight, type Chance } from '../../common/chance.ts';
import { leastRequests } from '../../common/least-requests.ts';

/** The module. */
export const randomChooseModule = defineModule(selectionPolicies, {
  name: 'random_choose',
  help: 'Selects several upstreams at random, and the one of them with the fewest requests in flight.',
  config: options({ choose: integer('Number of upstreams to select at random, at least 2. Default: 2.') }),
  provision(config, context): SelectionPolicy {
    const count = config.choose || 2;
    if (count < 2) throw context.error(`must be 2 at least, not ${count}`, 'choose');
    return randomPolicy(
      (upstreams, exchange, chance) => leastRequests(sample(upstreams, count, exchange, chance), exchange, chance),
      requestsInFlight,
    );
  },
});

/** As many of those that are available, each equally likely. */
function sample(
  upstreams: readonly Upstream[],
  count: number,
  exchange: Exchange,
  chance: Chance,
): readonly Upstream[] {
  const chosen: Upstream[] = [];
  let seen = 0;
  for (const upstream of upstreams) {
    if (!upstream.available) continue;
    seen++;
    if (chosen.length < count) chosen.push(upstream);
    else {
      const at = Math.floor(chance(exchange) * seen);
      if (at < count) chosen[at] = upstream;
    }
  }
  return chosen;
}
