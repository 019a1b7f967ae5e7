/** Compiled mappings of the `map` handler. A mapping assigns an output to each destination, depending on the source value. */
import { compileText, type Exchange, type HttpTemplate } from '@sluice/http-app';
import { anything, list, options, string, type Context, type Options } from '@sluice/registry';
import { compileRegExp, compileReplacement, expandReplacement, formatValue, type Json } from '@sluice/base';

export const mappingOptions = options({
  input: string('Value that the source must equal. The outputs may contain placeholders.'),
  input_regexp: string(
    'Regular expression (RE2 syntax) that the source must match, instead of `input`. The outputs may refer to its capture groups.',
  ),
  outputs: list(
    'One value per destination. null = take the value from a later mapping or the defaults. `$1` and `${name}` expand to the capture groups of `input_regexp`.',
    anything(),
  ),
});

/** Returns the output of the first matching mapping for a destination. Returns `null` to use the default. */
export type Lookup = (value: string, destination: number, exchange: Exchange) => unknown;

interface Fixed {
  readonly order: number;
  readonly outputs: readonly (HttpTemplate | null)[];
}

interface Expression {
  readonly order: number;
  readonly exec: (value: string) => readonly (string | undefined)[] | null;
  /** Output templates with captures. Placeholders within captures are not expanded, because clients control captured text. */
  readonly outputs: readonly (((groups: readonly (string | undefined)[]) => string) | null)[];
}

/** Compiles the mappings of a handler. `destinations` is the number of destinations. */
export function compileMappings(
  mappings: readonly (Options<typeof mappingOptions> | null)[],
  destinations: number,
  context: Context,
): Lookup {
  const fixed = new Map<string, Fixed>();
  const patterns = new Set<string>();
  const expressions: Expression[] = [];
  for (const [order, mapping] of mappings.entries()) {
    const at = ['mappings', order] as const;
    const outputs = mapping?.outputs ?? [];
    if (outputs.length !== destinations)
      throw context.error(
        `has ${outputs.length} outputs for ${destinations} destinations; specify one output per destination`,
        ...at,
        'outputs',
      );
    const { input, input_regexp: pattern } = mapping ?? {};
    if (pattern) {
      if (input) throw context.error('has both input and input_regexp; keep one of them', ...at);
      if (patterns.has(pattern))
        throw context.error(`duplicate mapping of ${JSON.stringify(pattern)}`, ...at, 'input_regexp');
      patterns.add(pattern);
      expressions.push({ order, ...compileExpression(pattern, outputs, context, at) });
    } else {
      if (fixed.has(input ?? ''))
        throw context.error(`duplicate mapping of input ${JSON.stringify(input ?? '')}`, ...at, 'input');
      fixed.set(input ?? '', { order, outputs: outputs.map(compileOutput) });
    }
  }
  return (value, destination, exchange) => {
    const exact = fixed.get(value);
    const output = exact?.outputs[destination] ?? null;
    for (const { order, exec, outputs } of expressions) {
      if (exact !== undefined && output !== null && exact.order < order) break;
      const expand = outputs[destination] ?? null;
      if (expand === null) continue;
      const groups = exec(value);
      if (groups !== null) return expand(groups);
    }
    return output === null ? null : output.value(exchange);
  };
}

function compileExpression(
  pattern: string,
  outputs: readonly Json[],
  context: Context,
  at: readonly (string | number)[],
): Omit<Expression, 'order'> {
  try {
    const expression = compileRegExp(pattern);
    return {
      exec: (value) => expression.exec(value),
      outputs: outputs.map((output) => {
        if (output === null) return null;
        const replacement = compileReplacement(formatValue(output), expression.groupCount, expression.names);
        return (groups) => expandReplacement(replacement, groups);
      }),
    };
  } catch (error) {
    throw context.error((error as Error).message, ...at, 'input_regexp');
  }
}

/** Compiles an output. As in Caddy, outputs are always strings. */
function compileOutput(output: Json): HttpTemplate | null {
  if (output === null) return null;
  return compileText(typeof output === 'string' ? output : escapeBraces(formatValue(output)), 'empty');
}

/** Escapes braces in text that does not come from the configuration. Only configured strings may contain placeholders. */
function escapeBraces(text: string): string {
  return text.replace(/[{}]/g, '\\$&');
}
