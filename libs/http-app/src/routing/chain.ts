/** Composition of handlers into one function, once, when the configuration is provisioned. */
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpHandler, Next } from '../handler.ts';

/** Composes handlers so that each one's `next` is the following one, and the last one's is `tail`. */
export function composeChain(handlers: readonly HttpHandler[], tail: Next): Next {
  let next = tail;
  for (let i = handlers.length - 1; i >= 0; i--) next = link(handlers[i] as HttpHandler, next);
  return next;
}

function link(handler: HttpHandler, next: Next): Next {
  return (exchange) => handler.handle(exchange, next);
}

/**
 * The end of every chain. On the primary way an unanswered request is an empty 200, which the server writes; while an
 * error is handled the answer is the error's status.
 */
export const endOfChain: Next = (exchange: Exchange) => {
  if (exchange.error !== null && exchange.response.status === 0) exchange.response.writeHead(statusOf(exchange.error));
};

/** The HTTP status of anything thrown: that of an `HttpError`, else 500. */
export function statusOf(error: unknown): number {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 100 && status <= 999 ? status : 500;
}
