/** Policies that choose the same upstream for the same value of a request. */
import type { Exchange, SelectionPolicy } from '@sluice/http-app';
import { selectByHash } from './rendezvous.ts';

/** Chooses by what `valueOf` gives; where that is empty, by another policy. */
export function hashPolicy(fallback: SelectionPolicy, valueOf: (exchange: Exchange) => string): SelectionPolicy {
  return {
    select(upstreams, exchange) {
      const value = valueOf(exchange);
      return value === '' ? fallback.select(upstreams, exchange) : selectByHash(upstreams, value);
    },
    watched: (watch) => hashPolicy(fallback.watched?.(watch) ?? fallback, valueOf),
  };
}
