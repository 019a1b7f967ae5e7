/** `http.matchers.vars_regexp`: matches values of request variables or of any placeholders with regular expressions. */
import { httpMatchers, type HttpMatcher } from '@sluice/http-app';
import { defineModule, mapOptions } from '@sluice/registry';
import { capturingValue, compileCapturing, type Capturing, type CapturingOptions } from '../common/capturing.ts';
import { readerOf } from '../vars/variable.ts';

export const varsRegexpModule = defineModule(httpMatchers, {
  name: 'vars_regexp',
  effect: 'pure',
  help: 'Matches requests for which at least one of the variables or placeholders matches its regular expression.',
  config: mapOptions('Map of variable names, or placeholders in braces, to regular expressions.', capturingValue, {
    examples: [{ '{http.request.uri.query}': { name: 'page', pattern: 'page=(\\d+)' } }],
  }),
  provision: (config, context) =>
    varsRegexpMatcher(
      Object.entries(config).map(([key, expression]) => [
        key,
        compileCapturing(expression as CapturingOptions, context, key),
      ]),
    ),
});

/** Matches request variables with regular expressions. If no expressions are given, matches no request. */
export function varsRegexpMatcher(variables: readonly (readonly [key: string, expression: Capturing])[]): HttpMatcher {
  const compiled = variables.map(([key, expression]) => ({ read: readerOf(key), expression }));
  return { match: (exchange) => compiled.some(({ read, expression }) => expression.match(exchange, read(exchange))) };
}
