import type { Upstream } from '../upstream.ts';
import type { Chance } from './chance.ts';

/** Returns the upstream with the fewest requests in flight, chosen at random on a tie. Returns `null` if none is available. */
export function leastRequests<U extends Upstream, S>(upstreams: readonly U[], subject: S, chance: Chance<S>): U | null {
  let best: U | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  let equals = 0;
  for (const upstream of upstreams) {
    if (!upstream.available) continue;
    const { requests } = upstream;
    if (requests > fewest) continue;
    equals = requests < fewest ? 1 : equals + 1;
    fewest = requests;
    if (equals === 1 || chance(subject) * equals < 1) best = upstream;
  }
  return best;
}
