/** Random choices: of requests that run for real by chance, of those that are rehearsed by what their client says. */
import type { Exchange, SelectionPolicy, Upstream, Watch } from '@sluice/http-app';

/** Gives a number from 0 to below 1. */
export type Chance = (exchange: Exchange) => number;

const byChance: Chance = () => Math.random();

/** A policy that chooses at random. */
export function randomPolicy(
  select: (upstreams: readonly Upstream[], exchange: Exchange, chance: Chance) => Upstream | null,
): SelectionPolicy {
  return {
    select: (upstreams, exchange) => select(upstreams, exchange, byChance),
    watched: ({ rehearsal }: Watch) => ({
      select: (upstreams, exchange) =>
        select(upstreams, exchange, rehearsal === null ? byChance : (each) => rehearsal.random(each)),
    }),
  };
}
