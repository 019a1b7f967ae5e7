/** `http.matchers.path`: matches the request's path, which handlers may have rewritten. */
import {
  compileText,
  httpMatchers,
  type Exchange,
  type HttpMatcher,
  type HttpTemplate,
  type RouteKeys,
} from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { lowerCase } from '@sluice/base';
import { textList, textsOf } from '../common/texts.ts';
import { keyOfPattern } from './keys.ts';
import { normalPath } from './normal.ts';
import { compileNormal, compilePattern, isNormal, type NormalTest, type PathTest } from './pattern.ts';

export const pathModule = defineModule(httpMatchers, {
  name: 'path',
  effect: 'pure',
  help: 'Matches requests by path. Matching is case-insensitive. Before matching, repeated slashes are merged and dot segments are removed.',
  config: textList(
    'Path patterns: an exact path, `/prefix/*`, `*.suffix` or `*substring*`. Asterisks elsewhere do not match slashes. Escapes such as `%2F` are compared with the path as it was sent; `%*` also matches escaped slashes. May contain placeholders.',
    [['/api/*', '*.php']],
  ),
  provision: (config) => pathMatcher(textsOf(config)),
});

/** Compiles path patterns. A path matches if it matches at least one pattern. */
export function pathMatcher(patterns: readonly string[]): HttpMatcher {
  const exact: string[] = [];
  const normal: NormalTest[] = [];
  const others: PathTest[] = [];
  let dynamic = false;
  for (const pattern of patterns) {
    const template = compileText(pattern, 'empty');
    if (template.constant === null) {
      dynamic = true;
      others.push(dynamicTest(template));
    } else if (!isNormal(template.constant)) others.push(compilePattern(template.constant));
    else if (/[*?[\\]/.test(template.constant)) normal.push(compileNormal(lowerCase(template.constant)));
    else exact.push(lowerCase(template.constant));
  }
  return { match: combine(exact, normal, others), keys: dynamic ? null : keysOf(patterns) };
}

function combine(exact: readonly string[], normal: readonly NormalTest[], others: readonly PathTest[]): PathTest {
  const tests = exact.length > 2 ? [hasTest(new Set(exact)), ...normal] : [...exact.map(compileNormal), ...normal];
  const [test] = tests;
  if (others.length === 0) {
    if (test === undefined) return () => false;
    if (tests.length === 1) return (exchange) => test(normalPath(exchange.path));
    return (exchange) => some(tests, normalPath(exchange.path));
  }
  return (exchange) => {
    if (tests.length > 0 && some(tests, normalPath(exchange.path))) return true;
    for (const other of others) if (other(exchange)) return true;
    return false;
  };
}

function some(tests: readonly NormalTest[], path: string): boolean {
  for (const test of tests) if (test(path)) return true;
  return false;
}

function hasTest(paths: ReadonlySet<string>): NormalTest {
  return (path) => paths.has(path);
}

/** Returns a predicate for a pattern with placeholders. Caches the compiled form of the last expanded pattern. */
function dynamicTest(template: HttpTemplate): PathTest {
  let last = '';
  let test: (exchange: Exchange) => boolean = compilePattern('');
  return (exchange) => {
    const pattern = template.expand(exchange);
    if (pattern !== last) {
      test = compilePattern(pattern);
      last = pattern;
    }
    return test(exchange);
  };
}

function keysOf(patterns: readonly string[]): RouteKeys | null {
  const keys: string[] = [];
  for (const pattern of patterns) {
    const key = keyOfPattern(compileText(pattern, 'empty').constant ?? pattern);
    if (key === null) return null;
    keys.push(key);
  }
  return { kind: 'path', keys };
}
