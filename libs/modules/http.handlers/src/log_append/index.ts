/** The module `http.handlers.log_append`, which adds a field to the access log entry of a request. */
import { httpHandlers, resolveHttp, type Exchange, type HttpHandler } from '@sluice/http-app';
import { boolean, defineModule, options, string } from '@sluice/registry';

const variables = 'http.vars.';

export const logAppendModule = defineModule(httpHandlers, {
  name: 'log_append',
  effect: 'pure',
  help: 'Adds a field to the access log entry for the request.',
  config: options({
    key: string('Name of the field to add.'),
    value: string(
      'Value of the field: a placeholder, a variable name, or a literal string. Evaluated after the later handlers have run.',
    ),
    early: boolean('Evaluate the value before the later handlers run.'),
  }),
  provision(config): HttpHandler {
    const key = config.key ?? '';
    const read = compileValue(config.value ?? '');
    if (config.early === true) {
      return {
        handle: (exchange, next) => {
          exchange.addLogField(key, read(exchange));
          return next(exchange);
        },
      };
    }
    const add = (exchange: Exchange): void => exchange.addLogField(key, read(exchange));
    return {
      handle: (exchange, next) => {
        exchange.onFinish(add);
        return next(exchange);
      },
    };
  },
});

/** Compiles a value. A single placeholder is evaluated, and its value may be null. Any other text is a variable name or a literal. */
function compileValue(text: string): (exchange: Exchange) => unknown {
  if (!/^\{[^{}]+\}$/.test(text)) return (exchange) => exchange.variable(text) ?? text;
  const name = text.slice(1, -1);
  if (name.startsWith(variables)) {
    const variable = name.slice(variables.length);
    return (exchange) => exchange.variable(variable) ?? null;
  }
  const read = resolveHttp(name);
  return read === null ? () => null : (exchange) => read(exchange) ?? null;
}
