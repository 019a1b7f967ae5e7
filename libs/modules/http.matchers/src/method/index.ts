/** `http.matchers.method`: matches the request's method, which handlers may have changed. */
import { httpMatchers, type HttpMatcher } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { textList, textsOf } from '../common/texts.ts';

export const methodModule = defineModule(httpMatchers, {
  name: 'method',
  effect: 'pure',
  help: 'Matches requests by method. `GET` does not match HEAD requests.',
  config: textList(
    'Request methods to match, converted to uppercase. Methods in requests are case-sensitive (RFC 9110 §9.1).',
    [['GET', 'HEAD']],
  ),
  provision: (config) => methodMatcher(textsOf(config)),
});

export function methodMatcher(methods: readonly string[]): HttpMatcher {
  const upper = methods.map((method) => method.toUpperCase());
  const [only] = upper;
  if (only !== undefined && upper.length === 1) return { match: ({ method }) => method === only };
  return { match: ({ method }) => upper.includes(method) };
}
