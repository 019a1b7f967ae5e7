/** The module `http.handlers.subroute`, which runs nested routes with separate error routes. */
import {
  isAbortError,
  isClientGoneError,
  httpHandlers,
  provisionRoute,
  RouteList,
  routeOptions,
  routingOf,
  type Exchange,
  type HttpHandler,
  type Next,
  type Route,
  type Watch,
} from '@sluice/http-app';
import { defineModule, list, options, structure, type Context, type LoadedList } from '@sluice/registry';
import type { JsonArray } from '@sluice/base';

const subrouteOptions = options({
  routes: list('Nested routes, evaluated in order. Afterwards, the next handler runs.', routeOptions),
  errors: structure(
    'Error routes for these routes and for all handlers that follow the subroute.',
    options({
      routes: list('Error routes. If they do not respond, the handler after the subroute runs.', routeOptions),
    }),
  ),
});

export const subrouteModule = defineModule(httpHandlers, {
  name: 'subroute',
  effect: 'pure',
  help: 'Runs nested routes. Errors are handled first by the error routes of the subroute, then by those of the server.',
  config: subrouteOptions,
  async provision(config, context): Promise<HttpHandler> {
    const previous = context.previous instanceof Subroute ? context.previous : null;
    const routes = await load(context, config.routes as JsonArray | null, 'routes');
    const errors =
      config.errors == null ? null : await load(context, config.errors.routes as JsonArray | null, 'errors', 'routes');
    return new Subroute(
      RouteList.compile(routes.items, previous?.routes),
      errors && RouteList.compile(errors.items, previous?.errors),
    );
  },
});

function load(context: Context, nodes: JsonArray | null | undefined, ...at: string[]): Promise<LoadedList<Route>> {
  return context.list(nodes ?? [], provisionRoute, ...at);
}

class Subroute implements HttpHandler {
  readonly routes: RouteList;
  readonly errors: RouteList | null;

  constructor(routes: RouteList, errors: RouteList | null) {
    this.routes = routes;
    this.errors = errors;
  }

  watched(watch: Watch): HttpHandler {
    return new Subroute(
      watch.routes(this.routes, 'routes'),
      this.errors && watch.routes(this.errors, 'errors', 'routes'),
    );
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    if (this.errors === null) return this.routes.enter(exchange, next);
    const { response } = exchange;
    const { cursor } = routingOf(exchange);
    const recover = (error: unknown): void | Promise<void> => {
      const responded = response.status !== 0;
      if (responded || isAbortError(error) || isClientGoneError(error)) throw error;
      routingOf(exchange).cursor = cursor;
      exchange.response = response;
      exchange.error = error;
      return (this.errors as RouteList).enter(exchange, next);
    };
    try {
      return this.routes.enter(exchange, next)?.catch(recover);
    } catch (error) {
      return recover(error);
    }
  }
}
