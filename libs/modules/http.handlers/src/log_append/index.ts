/** `http.handlers.log_append`: adds a field to the access log entry of a request. */
import { compileText, httpHandlers, type HttpHandler } from '@sluice/http-app';
import { boolean, defineModule, options, string } from '@sluice/registry';

/** The module. */
export const logAppendModule = defineModule(httpHandlers, {
  name: 'log_append',
  help: 'Adds a field to the access log entry of a request.',
  config: options({
    key: string('Name of the field.'),
    value: string('Value: a text, or one placeholder, evaluated after the handlers that follow.'),
    early: boolean('Evaluate the value before the handlers that follow.'),
  }),
  provision(config): HttpHandler {
    const key = config.key ?? '';
    // A text that is not one placeholder and nothing else stays as it is, as in the reference.
    const text = config.value ?? '';
    const value = compileText(/^\{[^{}]*\}$/.test(text) ? text : text.replaceAll('{', String.raw`\{`), 'empty');
    if (config.early === true) {
      return {
        handle: (exchange, next) => {
          exchange.addLogField(key, value.value(exchange));
          return next(exchange);
        },
      };
    }
    return {
      handle: (exchange, next) => {
        exchange.onFinish((finished) => finished.addLogField(key, value.value(finished)));
        return next(exchange);
      },
    };
  },
});
