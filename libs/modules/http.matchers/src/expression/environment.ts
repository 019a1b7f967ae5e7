/** Functions and variables that are available in all expressions. */
import { celEnv, celFunc, celMethod, CelScalar, objectType, type CelEnv, type CelFunc } from '@bufbuild/cel';
import { compileRegExp, type SafeRegExp } from '@sluice/base';
import { listFunctions } from './list-functions.ts';
import { mathFunctions } from './math-functions.ts';
import { stringFunctions } from './string-functions.ts';

const { BOOL, STRING } = CelScalar;

/** Type of the variable `req`, which can only be passed to `ph`. */
export const requestType = objectType('http.Request');

/** Cache of recently compiled regular expressions. Most expressions use constant patterns. */
const patterns = new Map<string, SafeRegExp>();
const maxPatterns = 256;

/** Returns a compiled RE2 pattern, from the cache if possible. */
export function patternOf(source: string): SafeRegExp {
  let pattern = patterns.get(source);
  if (pattern === undefined) {
    pattern = compileRegExp(source);
    if (patterns.size >= maxPatterns) patterns.clear();
    patterns.set(source, pattern);
  }
  return pattern;
}

const textFunctions: readonly CelFunc[] = [
  celFunc('matches', [STRING, STRING], BOOL, (text, pattern) => patternOf(pattern).test(text)),
  celMethod('matches', STRING, [STRING], BOOL, function matches(pattern) {
    return patternOf(pattern).test(this);
  }),
];

export function makeEnvironment(functions: readonly CelFunc[]): CelEnv {
  return celEnv({ funcs: [...stringFunctions, ...listFunctions, ...mathFunctions, ...textFunctions, ...functions] });
}
