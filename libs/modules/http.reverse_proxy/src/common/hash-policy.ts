/** Policies that choose the same upstream for the same value of a request. */
import { type Exchange, type SelectionPolicy, selectByHash } from '@sluice/http-app';

/**
 * Chooses by what `valueOf` gives; where that is empty, by another policy. `noteSource` reads in rehearsals from the request
 * of the client what the value is made of: what is read there is noted, and it may be unknown.
 */
export function hashPolicy(
  fallback: SelectionPolicy,
  valueOf: (exchange: Exchange) => string,
  noteSource: (exchange: Exchange) => void,
): SelectionPolicy {
  return {
    select(upstreams, exchange) {
      const value = valueOf(exchange);
      return value === '' ? fallback.select(upstreams, exchange) : selectByHash(upstreams, value);
    },
    watched: (watch) => {
      const other = fallback.watched?.(watch) ?? fallback;
      const policy = hashPolicy(other, valueOf, noteSource);
      if (watch.rehearsal === null) return policy;
      return {
        select(upstreams, exchange) {
          noteSource(exchange);
          return policy.select(upstreams, exchange);
        },
        eligible: (upstreams, exchange) =>
          (valueOf(exchange) === '' ? other.eligible?.(upstreams, exchange) : undefined) ??
          upstreams.filter(({ available }) => available),
      };
    },
  };
}
