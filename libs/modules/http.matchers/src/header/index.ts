/** `http.matchers.header`: matches request fields. */
import { compileText, httpMatchers, type Exchange, type HttpMatcher } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { hasField, someValue } from '../common/fields.ts';
import { textListMap, textsOf } from '../common/texts.ts';

export const headerModule = defineModule(httpMatchers, {
  name: 'header',
  effect: 'pure',
  help: 'Matches requests by header fields. All fields must match.',
  config: textListMap(
    "Map of field names to lists of case-sensitive value patterns: an exact value, `prefix*`, `*suffix` or `*substring*`. At least one pattern must match one of the field's values. Empty list = the field must be present; null = the field must be absent. May contain placeholders.",
    [{ 'Content-Type': ['application/json*'] }],
  ),
  provision: (config) =>
    headerMatcher(Object.entries(config).map(([name, list]) => [name, list === null ? null : textsOf(list)])),
});

type Test = (exchange: Exchange) => boolean;

/** Matches request fields. See the help of the options for the supported values. */
export function headerMatcher(
  fields: readonly (readonly [name: string, values: readonly string[] | null])[],
): HttpMatcher {
  const tests = fields.map(([name, values]) => fieldTest(name.toLowerCase(), values));
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return { match: only };
  return {
    match: (exchange) => {
      for (const test of tests) if (!test(exchange)) return false;
      return true;
    },
  };
}

function fieldTest(name: string, values: readonly string[] | null): Test {
  if (values === null) return (exchange) => !hasField(exchange, name);
  if (values.length === 0) return (exchange) => hasField(exchange, name);
  const tests = values.map(valueTest);
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return (exchange) => someValue(exchange, name, only);
  const any: ValueTest = (value, exchange) => tests.some((test) => test(value, exchange));
  return (exchange) => someValue(exchange, name, any);
}

type ValueTest = (value: string, exchange: Exchange) => boolean;

function valueTest(pattern: string): ValueTest {
  const template = compileText(pattern, 'empty');
  if (template.constant !== null) return patternTest(template.constant);
  return (value, exchange) => patternTest(template.expand(exchange))(value);
}

/** Returns a predicate for field values: equality, or a pattern with leading or trailing asterisks. */
function patternTest(pattern: string): (value: string) => boolean {
  const starts = pattern.startsWith('*');
  const ends = pattern.endsWith('*');
  if (pattern === '*' || pattern === '**') return () => true;
  const text = pattern.slice(starts ? 1 : 0, ends ? -1 : undefined);
  if (starts && ends) return (value) => value.includes(text);
  if (starts) return (value) => value.endsWith(text);
  if (ends) return (value) => value.startsWith(text);
  return (value) => value === text;
}
