/** Composition of handlers into one function, once, when the configuration is provisioned. */
import type { Exchange, Next } from '../exchange/exchange.ts';
import type { HttpHandler } from '../handler.ts';
import { respondToError } from './error-page.ts';
import { nowhere, type HandlerPlace } from '../exchange/place.ts';

/**
 * Composes handlers so that each one's `next` is the following one, and the last one's is `tail`. `places` says where
 * each of them stands.
 */
export function composeChain(handlers: readonly HttpHandler[], tail: Next, places: readonly HandlerPlace[] = []): Next {
  return handlers.reduceRight((next, handler, i) => link(handler, next, places[i] ?? nowhere), tail);
}

/** What a handler throws is noted with its place; the innermost one is who did it. */
function link(handler: HttpHandler, next: Next, place: HandlerPlace): Next {
  return (exchange) => {
    exchange.place = place;
    try {
      return handler.handle(exchange, next);
    } catch (error) {
      exchange.blame(error, place);
      throw error;
    }
  };
}

/**
 * The end of every chain. On the primary way a request without a response is an empty 200, which the server writes; while an
 * error is handled the response is the error's status, for browsers with a page.
 */
export const endOfChain: Next = (exchange: Exchange) => {
  if (exchange.error === null || exchange.response.status !== 0) return;
  respondToError(exchange, exchange.response, exchange.server?.errorPages ?? false);
};
