/** The functions and variables that all expressions have. */
import { celEnv, celFunc, celMethod, CelScalar, objectType, type CelEnv, type CelFunc } from '@bufbuild/cel';
import { compileRegExp, type SafeRegExp } from '@sluice/base';
import { listFunctions } from './list-functions.ts';
import { mathFunctions } from './math-functions.ts';
import { stringFunctions } from './string-functions.ts';

const { BOOL, STRING } = CelScalar;

/** The type of `req`, which is only good for being handed to `ph`. */
export const requestType = objectType('http.Request');

/** Expressions that were compiled last; patterns are part of an expression, as a rule. */
const patterns = new Map<string, SafeRegExp>();
const maxPatterns = 256;

/** Compiles a pattern in RE2's syntax, or finds it compiled. */
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

/** Makes an environment with further functions. */
export function makeEnvironment(functions: readonly CelFunc[]): CelEnv {
  return celEnv({ funcs: [...stringFunctions, ...listFunctions, ...mathFunctions, ...textFunctions, ...functions] });
}
