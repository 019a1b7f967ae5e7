/** `http.handlers.stamp`: adds a header field to the response and calls the next handler. */
import {
  compileText,
  defineModule,
  httpHandlers,
  options,
  string,
  type Exchange,
  type HttpHandler,
  type HttpTemplate,
  type Next,
} from '@sluice/module';

/** Example: `{"handler": "stamp", "field": "x-served-by", "value": "{system.hostname}"}` */
export const stampModule = defineModule(httpHandlers, {
  name: 'stamp',
  help: 'Adds a header field to the response.',
  config: options({
    field: string('Field name.', { default: 'x-stamp' }),
    value: string('Field value; may contain placeholders.', { default: '{http.request.method}' }),
  }),
  provision: ({ field, value }): HttpHandler =>
    new Stamp((field ?? 'x-stamp').toLowerCase(), compileText(value ?? '{http.request.method}', 'empty')),
});

class Stamp implements HttpHandler {
  readonly #field: string;
  readonly #value: HttpTemplate;

  constructor(field: string, value: HttpTemplate) {
    this.#field = field;
    this.#value = value;
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    exchange.response.headers.set(this.#field, this.#value.expand(exchange));
    return next(exchange);
  }
}
