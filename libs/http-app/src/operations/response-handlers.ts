/** The `handle_response` option of `intercept` and `reverse_proxy`, which runs routes for matching responses. */
import { list, options, structure, weakString, type Context, type Options } from '@sluice/registry';
import type { JsonArray } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';
import type { HeaderMap } from '@sluice/http1';
import type { Watch } from '../handler.ts';
import { compileText, type HttpTemplate } from '../placeholders/resolve.ts';
import { RouteList } from '../routing/route-list.ts';
import { provisionRoute, routeOptions } from '../routing/route.ts';
import { compileResponseMatcher, responseMatcherOptions, type ResponseMatcher } from './response-matcher.ts';

export const responseHandlerOptions = options({
  match: structure('Matcher for the responses that these options apply to. Default: all.', responseMatcherOptions),
  status_code: weakString(
    'Response status code, as a number or a string with placeholders. Ignored if `routes` is set. Default: the status code of the intercepted response.',
  ),
  routes: list(
    'Routes to run instead of sending the response. If they do not write a response, the original one is sent.',
    routeOptions,
  ),
});

export interface ResponseHandler {
  readonly matches: ResponseMatcher;
  /** Replacement status; `null` keeps the original status. */
  readonly status: HttpTemplate | null;
  /** Routes to run; `null` if there are none. */
  readonly routes: RouteList | null;
}

/** Provisions a module's `handle_response` list. */
export async function loadResponseHandlers(
  configs: readonly Options<typeof responseHandlerOptions>[] | null | undefined,
  context: Context,
): Promise<ResponseHandler[]> {
  const handlers: ResponseHandler[] = [];
  for (const [index, config] of (configs ?? []).entries()) {
    const status = String(config.status_code ?? '');
    const routes = (config.routes ?? []) as JsonArray;
    const loaded = await context.list(routes, provisionRoute, 'handle_response', index, 'routes');
    handlers.push({
      matches: compileResponseMatcher(config.match),
      status: status === '' ? null : compileText(status, 'empty'),
      routes: routes.length === 0 ? null : RouteList.compile(loaded.items),
    });
  }
  return handlers;
}

/** Returns copies of the entries whose routes are instrumented for observation; see `HttpHandler.watched`. */
export function watchedResponseHandlers(handlers: readonly ResponseHandler[], watch: Watch): ResponseHandler[] {
  return handlers.map((handler, index) => ({
    ...handler,
    routes: handler.routes && watch.routes(handler.routes, 'handle_response', index, 'routes'),
  }));
}

/** Returns the first entry that matches a response; `null` if no entry matches. */
export function findResponseHandler(
  handlers: readonly ResponseHandler[],
  status: number,
  headers: HeaderMap,
): ResponseHandler | null {
  for (const handler of handlers) if (handler.matches(status, headers)) return handler;
  return null;
}

/** Returns the entry's status, or the response's status if the entry has none. Returns 500 if the configured status is invalid. */
export function replacedStatus(handler: ResponseHandler, exchange: Exchange, status: number): number {
  if (handler.status === null) return status;
  const text = handler.status.expand(exchange);
  const replaced = /^\+?\d{3}$/.test(text) ? Number(text) : 0;
  return replaced >= 100 ? replaced : 500;
}
