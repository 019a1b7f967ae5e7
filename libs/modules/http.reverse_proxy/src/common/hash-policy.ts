/** Policies that map equal request values to the same upstream. */
import { type Exchange, type SelectionPolicy, selectByHash } from '@sluice/http-app';

/**
 * Selects an upstream by the result of `valueOf`. If the result is empty, another policy selects. In dry runs of requests, `noteSource`
 * reads the value's source from the client's request: this records the access, and the value may be unknown.
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
