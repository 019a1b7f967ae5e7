/** `http.matchers.path_regexp`: matches the request's decoded path with a regular expression. */
import { httpMatchers, type HttpMatcher } from '@sluice/http-app';
import { cleanRequestPath } from '@sluice/base';
import { defineModule } from '@sluice/registry';
import { capturingOptions, compileCapturing, type Capturing } from '../common/capturing.ts';

export const pathRegexpModule = defineModule(httpMatchers, {
  name: 'path_regexp',
  effect: 'pure',
  help: 'Matches requests whose decoded and normalized path, after rewrites, matches a regular expression. Case-sensitive.',
  config: capturingOptions,
  provision: (config, context) => pathRegexpMatcher(compileCapturing(config, context)),
});

export function pathRegexpMatcher(expression: Capturing): HttpMatcher {
  return { match: (exchange) => expression.match(exchange, cleanRequestPath(exchange.path)) };
}
