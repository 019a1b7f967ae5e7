/** `http.matchers.header_regexp`: matches request fields with regular expressions. */
import { httpMatchers, type Exchange, type HttpMatcher } from '@sluice/http-app';
import { defineModule, mapOptions } from '@sluice/registry';
import { compileCapturing, capturingValue, type Capturing, type CapturingOptions } from '../common/capturing.ts';
import { someValue } from '../common/fields.ts';

export const headerRegexpModule = defineModule(httpMatchers, {
  name: 'header_regexp',
  effect: 'pure',
  help: 'Matches requests whose header fields match regular expressions. For each field, at least one value must match.',
  config: mapOptions(
    'Map of header field names to regular expressions. Capture groups are taken from the first value that matches.',
    capturingValue,
    {
      examples: [{ 'User-Agent': { name: 'agent', pattern: '^curl/(\\d+)' } }],
    },
  ),
  provision: (config, context) =>
    headerRegexpMatcher(
      Object.entries(config).map(([name, expression]) => [
        name,
        compileCapturing(expression as CapturingOptions, context, name),
      ]),
    ),
});

export function headerRegexpMatcher(fields: readonly (readonly [name: string, expression: Capturing])[]): HttpMatcher {
  const tests = fields.map(([name, expression]) => {
    const test = (value: string, exchange: Exchange): boolean => expression.match(exchange, value);
    const field = name.toLowerCase();
    return (exchange: Exchange) => someValue(exchange, field, test);
  });
  return { match: (exchange) => tests.every((test) => test(exchange)) };
}
