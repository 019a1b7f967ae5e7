/** Composes handlers into one function, once, at provisioning. */
import type { Exchange, Next } from '../exchange/exchange.ts';
import type { HttpHandler } from '../handler.ts';
import { respondToError } from './error-page.ts';
import { nowhere, type HandlerPlace } from '../exchange/place.ts';

/** Composes handlers so that `next` of each is the following one, and `next` of the last is `tail`. `places` contains their positions. */
export function composeChain(handlers: readonly HttpHandler[], tail: Next, places: readonly HandlerPlace[] = []): Next {
  return handlers.reduceRight((next, handler, i) => link(handler, next, places[i] ?? nowhere), tail);
}

/** Records the place of an exception; the innermost handler is its source. */
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
 * End of every chain. On the primary routes, a request without a response gets an empty 200, written by the server. During error handling,
 * the response is the error's status, with a page for browsers.
 */
export const endOfChain: Next = (exchange: Exchange) => {
  if (exchange.error === null || exchange.response.status !== 0) return;
  respondToError(exchange, exchange.response, exchange.server?.errorPages ?? false);
};
