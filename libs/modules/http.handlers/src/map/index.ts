/** `http.handlers.map`: placeholders whose values depend on another value. */
import { compileText, httpHandlers, type Exchange, type HttpHandler, type HttpTemplate } from '@sluice/http-app';
import {
  anything,
  compileRegExp,
  compileReplacement,
  defineModule,
  expandReplacement,
  formatValue,
  list,
  options,
  string,
  strings,
  type Context,
  type Json,
  type Options,
} from '@sluice/registry';

const mappingOptions = options({
  input: string('Value to compare the source with.'),
  input_regexp: string('Regular expression (RE2 syntax) to match the source with, in place of input.'),
  outputs: list(
    'A value per destination; null: its default. `$1` and `${name}` stand for captures of input_regexp.',
    anything(),
  ),
});

/** The module. */
export const mapModule = defineModule(httpHandlers, {
  name: 'map',
  help: 'Gives placeholders values that depend on a source value: those of the first mapping that matches, or defaults.',
  config: options({
    source: string('Text with placeholders to look up.'),
    destinations: strings('Placeholders to set, with their braces: `{tenant}`.'),
    mappings: list('Mappings, in order.', mappingOptions),
    defaults: strings('Values where no mapping matches: none, or one per destination.'),
  }),
  provision(config, context): HttpHandler {
    const names = (config.destinations ?? []).map((text, i) => placeholderName(text, context, i));
    const defaults = (config.defaults ?? []).map((text) => compileText(text, 'empty'));
    if (defaults.length > 0 && defaults.length !== names.length) {
      throw context.error(
        `there are ${names.length} destinations and ${defaults.length} defaults; give one for each, or none`,
        'defaults',
      );
    }
    const lookup = compileMappings(config.mappings ?? [], names.length, context);
    const source = compileText(config.source ?? '', 'empty');
    return {
      handle: (exchange, next) => {
        names.forEach((name, i) => {
          exchange.setPlaceholder(name, () => {
            const output = lookup(source.expand(exchange), i, exchange);
            return output === null ? (defaults[i]?.expand(exchange) ?? '') : output;
          });
        });
        return next(exchange);
      },
    };
  },
});

/** The output of the first mapping that matches, for one destination; `null` for its default. */
type Lookup = (value: string, destination: number, exchange: Exchange) => unknown;
type Output = (exchange: Exchange, groups: readonly (string | undefined)[]) => unknown;

function placeholderName(text: string, context: Context, index: number): string {
  const name = /^\{([^{}]+)\}$/.exec(text)?.[1];
  if (name === undefined)
    throw context.error(`${JSON.stringify(text)} is not one placeholder such as "{tenant}"`, 'destinations', index);
  return name;
}

function compileMappings(
  mappings: readonly (Options<typeof mappingOptions> | null)[],
  destinations: number,
  context: Context,
): Lookup {
  const exact = new Map<string, { order: number; outputs: readonly (Output | null)[] }>();
  const expressions: {
    order: number;
    exec: (value: string) => readonly (string | undefined)[] | null;
    outputs: readonly (Output | null)[];
  }[] = [];
  for (const [order, mapping] of mappings.entries()) {
    const at = ['mappings', order] as const;
    const outputs = mapping?.outputs ?? [];
    if (outputs.length !== destinations)
      throw context.error(`has ${outputs.length} outputs for ${destinations} destinations`, ...at, 'outputs');
    const { input, input_regexp: pattern } = mapping ?? {};
    if (pattern) {
      if (input) throw context.error('has both input and input_regexp; keep one of them', ...at);
      expressions.push({ order, ...compileExpression(pattern, outputs, context, at) });
    } else {
      if (exact.has(input ?? ''))
        throw context.error(`input ${JSON.stringify(input ?? '')} has a mapping already`, ...at, 'input');
      exact.set(input ?? '', { order, outputs: outputs.map((output) => compileOutput(output)) });
    }
  }
  return (value, destination, exchange) => {
    const found = exact.get(value);
    for (const { order, exec, outputs } of expressions) {
      if (found !== undefined && found.order < order) break;
      const groups = exec(value);
      if (groups !== null) return outputs[destination]?.(exchange, groups) ?? null;
    }
    return found?.outputs[destination]?.(exchange, []) ?? null;
  };
}

function compileExpression(
  pattern: string,
  outputs: readonly Json[],
  context: Context,
  at: readonly (string | number)[],
) {
  try {
    const expression = compileRegExp(pattern);
    return {
      exec: (value: string) => expression.exec(value),
      outputs: outputs.map((output) => {
        if (typeof output !== 'string' || !output.includes('$')) return compileOutput(output);
        const replacement = compileReplacement(output, expression.groupCount, expression.names);
        return (exchange: Exchange, groups: readonly (string | undefined)[]) =>
          compileText(expandReplacement(replacement, groups), 'empty').value(exchange);
      }),
    };
  } catch (error) {
    throw context.error((error as Error).message, ...at, 'input_regexp');
  }
}

function compileOutput(output: Json): Output | null {
  if (output === null) return null;
  if (typeof output !== 'string') {
    // Outputs are texts wherever they are used, as in the reference.
    const shown = formatValue(output);
    return () => shown;
  }
  const text: HttpTemplate = compileText(output, 'empty');
  return (exchange) => text.value(exchange);
}
