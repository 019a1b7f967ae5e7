/** Sets the query of a request, with special handling for empty queries. */
import type { Exchange } from '../exchange/exchange.ts';
import type { RewriteTarget } from './rewrite-target.ts';

/** Replaces the query of a request. An empty replacement removes the query. A bare `?` sent by the client is kept. */
export function setQuery(exchange: Exchange, target: RewriteTarget, query: string): void {
  target.query = query === '' && exchange.originalQuery !== '' ? null : query;
}
