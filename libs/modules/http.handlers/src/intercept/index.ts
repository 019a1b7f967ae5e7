/** The module `http.handlers.intercept`, which replaces matching responses. */
import {
  httpHandlers,
  loadResponseHandlers,
  responseHandlerOptions,
  type Exchange,
  type HttpHandler,
  type Next,
  type ResponseHandler,
  type Watch,
  watchedResponseHandlers,
} from '@sluice/http-app';
import { defineModule, list, options } from '@sluice/registry';
import { InterceptingResponse } from './intercepting-response.ts';

export const interceptModule = defineModule(httpHandlers, {
  name: 'intercept',
  effect: 'pure',
  help: 'Intercepts responses from later handlers. `{http.intercept.status_code}` and `{http.intercept.header.*}` describe the intercepted response. Experimental in Caddy.',
  config: options({
    handle_response: list('Response handlers. The first entry that matches applies.', responseHandlerOptions),
  }),
  async provision(config, context): Promise<HttpHandler> {
    return new Intercept(await loadResponseHandlers(config.handle_response, context));
  },
});

class Intercept implements HttpHandler {
  readonly #handlers: readonly ResponseHandler[];

  constructor(handlers: readonly ResponseHandler[]) {
    this.#handlers = handlers;
  }

  watched(watch: Watch): HttpHandler {
    return new Intercept(watchedResponseHandlers(this.#handlers, watch));
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const filter = new InterceptingResponse(exchange, this.#handlers);
    exchange.response = filter;
    const pending = next(exchange);
    if (pending === undefined) return filter.finish();
    return pending.then(() => filter.finish());
  }
}
