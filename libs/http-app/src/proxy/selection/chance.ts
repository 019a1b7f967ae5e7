/** Random choices: of requests that run for real by chance, of those that are rehearsed by what their client says. */
import type { Exchange } from '../../exchange/exchange.ts';
import type { Watch } from '../../handler.ts';
import type { SelectionPolicy, Upstream } from '../upstream.ts';

/** Gives a number from 0 to below 1. `S`: what an upstream is selected for. */
export type Chance<S = Exchange> = (subject: S) => number;

const byChance: Chance = () => Math.random();

/** The state that a choice by load depends on, as rehearsals name it. */
export const requestsInFlight = 'requests in flight';

/** A policy that chooses at random. `state`: what else the choice depends on, beside the request. */
export function randomPolicy(
  select: (upstreams: readonly Upstream[], exchange: Exchange, chance: Chance) => Upstream | null,
  state: string | null = null,
): SelectionPolicy {
  return {
    select: (upstreams, exchange) => select(upstreams, exchange, byChance),
    watched: ({ rehearsal }: Watch) => ({
      select: (upstreams, exchange) => {
        if (state !== null) rehearsal?.depends(exchange, state);
        return select(upstreams, exchange, rehearsal === null ? byChance : (each) => rehearsal.random(each));
      },
    }),
  };
}
