/** The module `http.handlers.rewrite`, which changes the method, path and query of a request for the handlers after it. */
import { compileRewrite, httpHandlers, rewriteOptions, type HttpHandler } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';

export const rewriteModule = defineModule(httpHandlers, {
  name: 'rewrite',
  effect: 'pure',
  help: 'Rewrites the method, path and query of a request, for the handlers and routes that follow.',
  config: rewriteOptions,
  provision(config, context): HttpHandler {
    const rewrite = compileRewrite(config, context);
    return {
      handle: (exchange, next) => {
        rewrite(exchange, exchange);
        return next(exchange);
      },
    };
  },
});
