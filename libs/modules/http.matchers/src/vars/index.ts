/** `http.matchers.vars`: matches values of request variables or of any placeholders. */
import { compileText, httpMatchers, type HttpMatcher } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { textListMap, textsOf } from '../common/texts.ts';
import { readerOf } from './variable.ts';

export const varsModule = defineModule(httpMatchers, {
  name: 'vars',
  effect: 'pure',
  help: 'Matches requests for which at least one of the variables or placeholders has one of its accepted values.',
  config: textListMap(
    'Map of variable names, or placeholders in braces, to accepted values. Values may contain placeholders. An empty map matches all requests.',
    [{ '{http.request.host}': ['example.com'], beta: ['1', 'true'] }],
  ),
  provision: (config) => varsMatcher(Object.entries(config).map(([key, list]) => [key, textsOf(list)])),
});

/** Matches request variables. If no variables are given, matches every request. */
export function varsMatcher(variables: readonly (readonly [key: string, values: readonly string[]])[]): HttpMatcher {
  if (variables.length === 0) return { match: () => true };
  const compiled = variables.map(([key, values]) => ({
    read: readerOf(key),
    values: values.map((value) => compileText(value, 'empty')),
  }));
  return {
    match: (exchange) => {
      for (const { read, values } of compiled) {
        const text = read(exchange);
        for (const value of values) if ((value.constant ?? value.expand(exchange)) === text) return true;
      }
      return false;
    },
  };
}
