/** What an empty query is. */
import type { Exchange } from '../exchange/exchange.ts';
import type { RewriteTarget } from './rewrite-target.ts';

/** Gives a request another query. An empty one is none; a `?` stays that the client sent with nothing after it. */
export function setQuery(exchange: Exchange, target: RewriteTarget, query: string): void {
  target.query = query === '' && exchange.originalQuery !== '' ? null : query;
}
