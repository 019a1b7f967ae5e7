/** Regular expressions in configurations. Each expression is compiled only once for all checks. */
import { compileRegExp, type SafeRegExp } from '@sluice/base';

const known = new Map<string, SafeRegExp | null>();

/** Cache size. */
const maxKnown = 200;

/** Returns a compiled pattern. Returns `null` if the pattern is invalid; loading the configuration reports this error. */
export function compiledPattern(pattern: string): SafeRegExp | null {
  let compiled = known.get(pattern);
  if (compiled !== undefined) return compiled;
  try {
    compiled = compileRegExp(pattern);
  } catch {
    compiled = null;
  }
  if (known.size >= maxKnown) known.clear();
  known.set(pattern, compiled);
  return compiled;
}
