/** Composes handlers into one function at provisioning. */
import type { Exchange, Next } from '../exchange/exchange.ts';
import type { HttpHandler } from '../handler.ts';
import { respondToError } from './error-page.ts';
import { nowhere, type HandlerPlace } from '../exchange/place.ts';

/**
 * Composes handlers so that each `next` calls the following handler, and the last one calls `tail`. `places` are the
 * positions of the handlers.
 */
export function composeChain(handlers: readonly HttpHandler[], tail: Next, places: readonly HandlerPlace[] = []): Next {
  return handlers.reduceRight((next, handler, i) => link(handler, next, places[i] ?? nowhere), tail);
}

/** Records the handler that raised an exception. The innermost handler is recorded. */
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
 * End of every chain. On the primary routes, a request without a response gets an empty 200 response from the server.
 * In error handling, the response has the error status, with a page for browsers.
 */
export const endOfChain: Next = (exchange: Exchange) => {
  if (exchange.error === null || exchange.response.status !== 0) return;
  respondToError(exchange, exchange.response, exchange.server?.errorPages ?? false);
};
