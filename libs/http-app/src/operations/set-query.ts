/** Handling of empty queries. */
import type { Exchange } from '../exchange/exchange.ts';
import type { RewriteTarget } from './rewrite-target.ts';

/** Replaces the query of a request. An empty query is removed; a client's bare `?` is kept. */
export function setQuery(exchange: Exchange, target: RewriteTarget, query: string): void {
  target.query = query === '' && exchange.originalQuery !== '' ? null : query;
}
