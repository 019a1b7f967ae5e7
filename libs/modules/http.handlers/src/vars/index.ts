/** `http.handlers.vars`: sets request variables, `{http.vars.<name>}`. */
import { compileText, httpHandlers, noRoot, type Exchange, type HttpHandler } from '@sluice/http-app';
import { anything, defineModule, mapOptions } from '@sluice/registry';

export const varsModule = defineModule(httpHandlers, {
  name: 'vars',
  effect: 'pure',
  help: 'Sets variables, which are available as `{http.vars.<name>}` and to the `vars` and `vars_regexp` matchers.',
  config: mapOptions(
    'Map of variable names to values. Names and string values may contain placeholders. Other values keep their type.',
    anything(),
  ),
  provision(config): HttpHandler {
    const variables = Object.entries(config).map(([name, value]) => ({
      name: compileText(name, 'empty'),
      text: typeof value === 'string' ? textOf(name, value) : null,
      value: value === null ? '' : value,
    }));
    return {
      handle: (exchange, next) => {
        for (const { name, text, value } of variables)
          exchange.setVariable(name.expand(exchange), text === null ? value : text(exchange));
        return next(exchange);
      },
    };
  },
});

/**
 * Compiles the value of a variable. If a placeholder in `root` has no value, the variable has no value either. A partly expanded root would
 * refer to a different directory.
 */
function textOf(name: string, value: string): (exchange: Exchange) => string {
  const template = compileText(value, 'empty');
  return name === 'root' && template.constant === null
    ? (exchange) => template.filled(exchange) ?? noRoot
    : (exchange) => template.expand(exchange);
}
