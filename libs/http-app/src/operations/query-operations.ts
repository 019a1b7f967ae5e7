import { compileRegExp, encodeQuery, parseQuery, type QueryValues } from '@sluice/base';
import { list, options, string, strings, type Context, type Options } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';
import { compileText } from '../placeholders/resolve.ts';
import type { Rewrite } from './rewrite-target.ts';
import { setQuery } from './set-query.ts';

const pairOptions = options({
  key: string('Name of the parameter.'),
  val: string('Parameter value. For `rename`, the new parameter name.'),
});
const replaceOptions = options({
  key: string('Name of the parameter. `*` = all parameters.'),
  search: string('String to search for.'),
  search_regexp: string('Regular expression (RE2 syntax) to search for; takes precedence over `search`.'),
  replace: string('Replacement string.'),
});

/** Options of query operations. All strings may contain placeholders. */
export const queryOperationOptions = options({
  rename: list('Parameters to rename. A parameter that already has the new name is overwritten.', pairOptions),
  set: list('Parameters to set, replacing existing values.', pairOptions),
  add: list('Parameter values to add.', pairOptions),
  replace: list('Replacements in parameter values.', replaceOptions),
  delete: strings('Parameters to delete.'),
});

type Step = (query: QueryValues, exchange: Exchange) => void;

/** Compiles query operations. They always rebuild the query and sort it by key, even if there are no operations. */
export function compileQueryOperations(
  config: Options<typeof queryOperationOptions>,
  context: Context,
  ...at: string[]
): Rewrite {
  const steps: Step[] = [
    ...(config.rename ?? []).map((pair) => pairStep(pair, rename)),
    ...(config.set ?? []).map((pair) => pairStep(pair, (query, key, value) => query.set(key, [value]))),
    ...(config.add ?? []).map((pair) =>
      pairStep(pair, (query, key, value) => query.set(key, [...(query.get(key) ?? []), value])),
    ),
    ...(config.replace ?? []).map((entry, i) => replaceStep(entry, context, [...at, 'replace', i])),
    ...(config.delete ?? []).map(deleteStep),
  ];
  return (exchange, target) => {
    const query = parseQuery(target.query ?? '');
    for (const step of steps) step(query, exchange);
    setQuery(exchange, target, encodeQuery(query));
  };
}

function pairStep(
  pair: Options<typeof pairOptions>,
  apply: (query: QueryValues, key: string, value: string) => void,
): Step {
  const key = compileText(pair.key ?? '', 'empty');
  const value = compileText(pair.val ?? '', 'empty');
  return (query, exchange) => {
    const name = key.expand(exchange);
    if (name !== '') apply(query, name, value.expand(exchange));
  };
}

function rename(query: QueryValues, from: string, to: string): void {
  const values = query.get(from);
  if (values === undefined || to === '') return;
  query.delete(from);
  query.set(to, values);
}

function replaceStep(
  entry: Options<typeof replaceOptions> | null,
  context: Context,
  at: readonly (string | number)[],
): Step {
  const key = compileText(entry?.key ?? '', 'empty');
  const search = compileText(entry?.search ?? '', 'empty');
  const replacement = compileText(entry?.replace ?? '', 'empty');
  let replace = (value: string, exchange: Exchange): string =>
    value.replaceAll(search.expand(exchange), () => replacement.expand(exchange));
  if (entry?.search_regexp) {
    try {
      const expression = compileRegExp(entry.search_regexp);
      replace = (value, exchange) => expression.replaceAll(value, replacement.expand(exchange));
    } catch (error) {
      throw context.error((error as Error).message, ...at, 'search_regexp');
    }
  }
  return (query, exchange) => {
    const name = key.expand(exchange);
    for (const [parameter, values] of query) {
      if (name === '*' || parameter === name) {
        query.set(
          parameter,
          values.map((value) => replace(value, exchange)),
        );
      }
    }
  };
}

function deleteStep(name: string): Step {
  const key = compileText(name, 'empty');
  return (query, exchange) => {
    const parameter = key.expand(exchange);
    if (parameter !== '') query.delete(parameter);
  };
}
