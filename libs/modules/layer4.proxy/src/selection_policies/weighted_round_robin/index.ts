/** `layer4.proxy.selection_policies.weighted_round_robin`: selects upstreams in turn, in proportion to their weights. */
import { layer4Policies, type WeightedUpstream } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';

export const weightedRoundRobinModule = defineModule(layer4Policies, {
  name: 'weighted_round_robin',
  help: 'Selects upstreams in rotation, in proportion to their `weight`. Selections of the same upstream are spread out instead of consecutive. Each thread keeps a separate rotation.',
  config: options({}),
  provision() {
    /**
     * Balances of the smooth weighted round-robin algorithm. Each turn adds every upstream's weight to its balance, and subtracts the sum
     * of weights from the selected upstream.
     */
    const credits = new WeakMap<WeightedUpstream, number>();
    return {
      select<U extends WeightedUpstream>(upstreams: readonly U[]): U | null {
        let best: U | null = null;
        let total = 0;
        let maxWeight = Number.NEGATIVE_INFINITY;
        for (const upstream of upstreams) {
          if (!upstream.available) continue;
          const credit = (credits.get(upstream) ?? 0) + upstream.weight;
          credits.set(upstream, credit);
          total += upstream.weight;
          if (credit > maxWeight) [best, maxWeight] = [upstream, credit];
        }
        if (best !== null) credits.set(best, maxWeight - total);
        return best;
      },
    };
  },
});
