/** What an empty query is. */
import type { Exchange } from '../exchange/exchange.ts';

/** Gives a request another query. An empty one is none; a `?` stays that the client sent with nothing after it. */
export function setQuery(exchange: Exchange, query: string): void {
  exchange.query = query === '' && exchange.originalQuery !== '' ? null : query;
}
