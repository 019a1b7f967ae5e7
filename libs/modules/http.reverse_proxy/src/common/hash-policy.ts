/** Selection policies that map equal request values to the same upstream. */
import { type Exchange, type SelectionPolicy, selectByHash } from '@sluice/http-app';

/**
 * Returns a policy that selects an upstream by the hash of a request value from `valueOf`. If the value is empty, another policy selects
 * the upstream. In dry runs, `noteSource` reads the value from the client's request, so that the explanation shows the dependency.
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
