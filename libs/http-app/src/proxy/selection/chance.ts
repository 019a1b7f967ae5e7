/** Random choices: truly random for real requests, provided by the client in dry runs of requests. */
import type { Exchange } from '../../exchange/exchange.ts';
import type { Watch } from '../../handler.ts';
import type { SelectionPolicy, Upstream } from '../upstream.ts';

/** Returns a number from 0 to below 1. `S` is the type of the selection subject. */
export type Chance<S = Exchange> = (subject: S) => number;

const byChance: Chance = () => Math.random();

/** Name of the state that load-based choices depend on, for dry runs of requests. */
export const requestsInFlight = 'requests in flight';

/**
 * Creates a policy that chooses at random. `state`: additional state that the choice depends on. `considers`: see
 * {@link SelectionPolicy.considers}.
 */
export function randomPolicy(
  select: (upstreams: readonly Upstream[], exchange: Exchange, chance: Chance) => Upstream | null,
  state: string | null = null,
  considers: NonNullable<SelectionPolicy['considers']> = (share) => share,
): SelectionPolicy {
  return {
    considers,
    select: (upstreams, exchange) => select(upstreams, exchange, byChance),
    watched: ({ rehearsal }: Watch) => ({
      select: (upstreams, exchange) => {
        if (state !== null) rehearsal?.depends(exchange, state);
        return select(upstreams, exchange, rehearsal === null ? byChance : (each) => rehearsal.random(each));
      },
    }),
  };
}
