/** `http.matchers.query`: matches query parameters, which handlers may have rewritten. */
import { compileText, httpMatchers, type Exchange, type HttpMatcher, type HttpTemplate } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { parseQueryOrNull, type QueryValues } from '@sluice/base';
import { textListMap, textsOf } from '../common/texts.ts';

export const queryModule = defineModule(httpMatchers, {
  name: 'query',
  effect: 'pure',
  help: 'Matches requests by query parameters. All parameters must match. A malformed query never matches.',
  config: textListMap(
    'Map of query parameter names to accepted values. `*` matches any value; an empty list never matches. An empty map matches only an empty query. May contain placeholders.',
    [{ page: ['*'], sort: ['asc', 'desc'] }],
  ),
  provision: (config) => queryMatcher(Object.entries(config).map(([name, list]) => [name, textsOf(list)])),
});

interface Parameter {
  readonly name: HttpTemplate;
  readonly values: readonly HttpTemplate[];
}

/** Matches query parameters. See the help of the options for the supported values. */
export function queryMatcher(parameters: readonly (readonly [name: string, values: readonly string[]])[]): HttpMatcher {
  if (parameters.length === 0) return { match: ({ query }) => query === null || queryValues(query)?.size === 0 };
  const compiled = parameters.map(([name, values]) => ({
    name: compileText(name, 'empty'),
    values: values.map((value) => compileText(value, 'empty')),
  }));
  return {
    match: (exchange) => {
      const values = exchange.query === null ? null : queryValues(exchange.query);
      if (values === null) return false;
      for (const parameter of compiled) if (!matchParameter(parameter, values, exchange)) return false;
      return true;
    },
  };
}

function matchParameter({ name, values }: Parameter, query: QueryValues, exchange: Exchange): boolean {
  const found = query.get(name.constant ?? name.expand(exchange));
  if (found === undefined) return false;
  for (const value of values) {
    const wanted = value.constant ?? value.expand(exchange);
    if (wanted === '*' || found.includes(wanted)) return true;
  }
  return false;
}

/** Cache of the last query string and its parameters, because consecutive routes match the same query string. */
let lastQuery = '';
let lastValues: QueryValues | null = new Map();

function queryValues(query: string): QueryValues | null {
  if (query !== lastQuery) {
    lastValues = parseQueryOrNull(query);
    lastQuery = query;
  }
  return lastValues;
}
