/** `http.reverse_proxy.selection_policies.weighted_round_robin`: selects upstreams in turn, in proportion to their weights. */
import {
  type SelectionPolicy,
  type Turn,
  type Upstream,
  earlierRequests,
  selectionPolicies,
  sharedTurn,
} from '@sluice/http-app';
import { defineModule, integers, options } from '@sluice/registry';

export const weightedRoundRobinModule = defineModule(selectionPolicies, {
  name: 'weighted_round_robin',
  help: 'Selects upstreams in turn. An upstream with weight N receives N consecutive requests.',
  config: options({
    weights: integers('Weights of the upstreams, in order. 0 or missing = the upstream is never selected.'),
  }),
  provision(config, context): SelectionPolicy {
    const weights = config.weights ?? [];
    if (weights.length === 0) throw context.error('are missing: specify one weight per upstream', 'weights');
    for (const [index, weight] of weights.entries())
      if (weight < 0) throw context.error(`must not be negative: ${weight}`, 'weights', index);
    if (weights.every((weight) => weight === 0))
      throw context.error('are all 0: at least one weight must be positive', 'weights');
    const turn = sharedTurn(context);
    if (weights.length === 1)
      return { select: (upstreams) => upstreams.find((upstream) => upstream.available) ?? null };
    return {
      select: (upstreams) => selectByWeight(upstreams, weights, turn),
      considers: (share) => share,
      watched: ({ rehearsal }) => ({
        select: (upstreams, exchange) => {
          rehearsal?.depends(exchange, earlierRequests);
          return selectByWeight(upstreams, weights, rehearsal === null ? turn : turn.peek());
        },
        eligible: (upstreams) => upstreams.filter(({ available }, index) => available && (weights[index] ?? 0) > 0),
      }),
    };
  },
});

function selectByWeight(upstreams: readonly Upstream[], weights: readonly number[], turn: Turn): Upstream | null {
  const candidates: [upstream: Upstream, weight: number][] = [];
  let total = 0;
  for (const [index, upstream] of upstreams.entries()) {
    const weight = weights[index] ?? 0;
    if (weight === 0 || !upstream.available) continue;
    total += weight;
    candidates.push([upstream, weight]);
  }
  if (total === 0) return null;
  let left = turn.next() % total;
  for (const [upstream, weight] of candidates) {
    if (left < weight) return upstream;
    left -= weight;
  }
  return null;
}
