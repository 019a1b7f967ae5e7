/** Choosing by load. */
import type { Exchange, Upstream } from '@sluice/http-app';
import type { Chance } from './chance.ts';

/** The one with the fewest requests in flight, at random among equals; `null` of none. */
export function leastRequests(upstreams: readonly Upstream[], exchange: Exchange, chance: Chance): Upstream | null {
  let best: Upstream | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  let equals = 0;
  for (const upstream of upstreams) {
    if (!upstream.available) continue;
    const { requests } = upstream;
    if (requests > fewest) continue;
    equals = requests < fewest ? 1 : equals + 1;
    fewest = requests;
    if (equals === 1 || chance(exchange) * equals < 1) best = upstream;
  }
  return best;
}
