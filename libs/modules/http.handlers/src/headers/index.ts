/** The module `http.handlers.headers`, which changes request and response headers. */
import {
  compileHeaderOperations,
  compileResponseMatcher,
  headerOperationFields,
  headerOperationOptions,
  httpHandlers,
  ResponseFilter,
  responseMatcherOptions,
  type Exchange,
  type HeaderOperations,
  type HttpHandler,
  type Next,
  type ResponseMatcher,
  type ResponseWriter,
} from '@sluice/http-app';
import { boolean, defineModule, options, structure } from '@sluice/registry';

export const headersModule = defineModule(httpHandlers, {
  name: 'headers',
  effect: 'pure',
  help: 'Changes request and response header fields. Deferred changes are applied when the response header is written, and are discarded if an error occurs.',
  config: options({
    request: structure('Changes to the request header fields, applied immediately.', headerOperationOptions),
    response: structure(
      'Changes to the response header fields, applied immediately unless deferred.',
      options({
        ...headerOperationFields,
        require: structure(
          'Matcher that selects the responses to modify. If set, changes are deferred. Default: all responses.',
          responseMatcherOptions,
        ),
        deferred: boolean(
          'Apply the changes when the response header is written, so that they also affect fields set by later handlers.',
        ),
      }),
    ),
  }),
  provision(config, context): HttpHandler {
    const request = config.request == null ? null : compileHeaderOperations(config.request, context, 'request');
    const response = config.response == null ? null : compileHeaderOperations(config.response, context, 'response');
    if (response === null || config.response?.deferred === true || config.response?.require != null) {
      const matches = compileResponseMatcher(config.response?.require);
      return {
        handle: (exchange, next) => {
          request?.applyToRequest(exchange);
          return response === null ? next(exchange) : handleDeferred(exchange, next, response, matches);
        },
      };
    }
    return {
      handle: (exchange, next) => {
        request?.applyToRequest(exchange);
        response.apply(exchange.response.headers, exchange);
        return next(exchange);
      },
    };
  },
});

function handleDeferred(
  exchange: Exchange,
  next: Next,
  operations: HeaderOperations,
  matches: ResponseMatcher,
): void | Promise<void> {
  const inner = exchange.response;
  const filter = new DeferredHeaders(inner, exchange, operations, matches);
  exchange.response = filter;
  const pending = next(exchange);
  if (pending === undefined) exchange.response = inner;
  else return pending.then(() => void (exchange.response = inner));
}

/** Response filter that applies operations just before the headers are sent. */
class DeferredHeaders extends ResponseFilter {
  readonly #exchange: Exchange;
  readonly #operations: HeaderOperations;
  readonly #matches: ResponseMatcher;

  constructor(inner: ResponseWriter, exchange: Exchange, operations: HeaderOperations, matches: ResponseMatcher) {
    super(inner);
    this.#exchange = exchange;
    this.#operations = operations;
    this.#matches = matches;
  }

  override writeHead(status: number): void {
    if (this.inner.status === 0 && this.#matches(status, this.headers))
      this.#operations.apply(this.headers, this.#exchange);
    this.inner.writeHead(status);
  }

  override write(chunk: string | Buffer): boolean {
    if (this.inner.status === 0) this.writeHead(200);
    return this.inner.write(chunk);
  }

  override end(chunk?: string | Buffer): void {
    if (this.inner.status === 0 && !this.inner.ended) this.writeHead(200);
    this.inner.end(chunk);
  }
}
