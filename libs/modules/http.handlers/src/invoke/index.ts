/** The module `http.handlers.invoke`, which runs a named route of the server. */
import { HttpError, httpHandlers, type HttpHandler } from '@sluice/http-app';
import { defineModule, options, string } from '@sluice/registry';

export const invokeModule = defineModule(httpHandlers, {
  name: 'invoke',
  effect: 'pure',
  help: "Runs one of the server's `named_routes`, then calls the next handler. Experimental in Caddy.",
  config: options({ name: string('Name of the named route to run.') }),
  provision(config): HttpHandler {
    const name = config.name ?? '';
    return {
      handle: (exchange, next) => {
        const route = exchange.server?.namedRoute(name);
        if (route === undefined) throw new HttpError(500, `the server has no named route ${JSON.stringify(name)}`);
        return route.enter(exchange, next);
      },
    };
  },
});
