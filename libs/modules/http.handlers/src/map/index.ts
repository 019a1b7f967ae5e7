/** The module `http.handlers.map`, which defines placeholders whose values depend on another value. */
import { compileText, httpHandlers, type HttpHandler } from '@sluice/http-app';
import { defineModule, list, options, string, strings, type Context } from '@sluice/registry';
import { compileMappings, mappingOptions } from './mappings.ts';

export const mapModule = defineModule(httpHandlers, {
  name: 'map',
  effect: 'pure',
  help: 'Sets placeholders based on a source value. The values come from the first mapping that matches, or from the defaults.',
  config: options({
    source: string('Source value: a string with placeholders.'),
    destinations: strings('Placeholders to set, including the braces: `{tenant}`.'),
    mappings: list('Mappings from inputs to outputs, evaluated in order.', mappingOptions),
    defaults: strings('Values to use if no mapping matches, one per destination. May be empty.'),
  }),
  provision(config, context): HttpHandler {
    const names = (config.destinations ?? []).map((text, i) => placeholderName(text, context, i));
    const defaults = (config.defaults ?? []).map((text) => compileText(text, 'empty'));
    if (defaults.length > 0 && defaults.length !== names.length) {
      throw context.error(
        `there are ${names.length} destinations and ${defaults.length} defaults; specify one default per destination, or none`,
        'defaults',
      );
    }
    const lookup = compileMappings(config.mappings ?? [], names.length, context);
    const source = compileText(config.source ?? '', 'empty');
    return {
      handle: (exchange, next) => {
        names.forEach((name, i) => {
          // Keep a value that is already set. If several maps define the same placeholder, the first map wins.
          if (exchange.hasPlaceholder(name)) return;
          exchange.setPlaceholder(
            name,
            () => lookup(source.expand(exchange), i, exchange) ?? defaults[i]?.expand(exchange) ?? '',
          );
        });
        return next(exchange);
      },
    };
  },
});

function placeholderName(text: string, context: Context, index: number): string {
  const name = /^\{([^{}]+)\}$/.exec(text)?.[1];
  if (name === undefined)
    throw context.error(`${JSON.stringify(text)} is not a placeholder such as "{tenant}"`, 'destinations', index);
  return name;
}
