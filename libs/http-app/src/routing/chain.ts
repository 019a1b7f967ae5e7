/** Composes handlers into one function during provisioning. */
import type { Exchange, Next } from '../exchange/exchange.ts';
import type { HttpHandler } from '../handler.ts';
import { respondToError } from './error-page.ts';
import { nowhere, type HandlerPlace } from '../exchange/place.ts';

/**
 * Composes handlers into a chain. Each `next` calls the following handler, and the last handler calls `tail`. `places` contains the
 * positions of the handlers.
 */
export function composeChain(handlers: readonly HttpHandler[], tail: Next, places: readonly HandlerPlace[] = []): Next {
  return handlers.reduceRight((next, handler, i) => link(handler, next, places[i] ?? nowhere), tail);
}

/** Calls a handler, and records the innermost handler that threw an exception. */
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
 * The last step of every handler chain. On primary routes, a request that has no response yet gets an empty 200 response. On error routes,
 * the response has the error status, and browsers get an error page.
 */
export const endOfChain: Next = (exchange: Exchange) => {
  if (exchange.error === null || exchange.response.status !== 0) return;
  respondToError(exchange, exchange.response, exchange.server?.errorPages ?? false);
};
