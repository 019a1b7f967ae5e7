/** Random choices for selection policies. Real requests use random numbers. Dry runs use numbers that the admin client supplies. */
import type { Exchange } from '../../exchange/exchange.ts';
import type { Watch } from '../../handler.ts';
import type { SelectionPolicy, Upstream } from '../upstream.ts';

/** Returns a number in [0, 1). `S` is the type of object that an upstream is selected for. */
export type Chance<S = Exchange> = (subject: S) => number;

const byChance: Chance = () => Math.random();

/** Display name, in dry runs, for the state that load-based policies depend on. */
export const requestsInFlight = 'requests in flight';

/** Creates a policy that chooses at random. `state` is the name of any additional state on which the choice depends. */
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
