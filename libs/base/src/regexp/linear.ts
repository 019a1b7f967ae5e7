/**
 * Enables V8's linear-time regular expression engine. With this flag, V8 switches from backtracking to the linear engine after 50,000
 * backtracks.
 *
 * The engine is experimental. It does not support counted repetitions, lookaround, or flags such as `i` and `u`. The regular expression
 * flag `l`, also enabled here, rejects unsupported patterns.
 */
import { setFlagsFromString } from 'node:v8';

/** A flag that V8 accepts after {@link hasLinearEngine} was called. */
const linearFlag = 'l';

let available: boolean | null = null;

/**
 * Enables the linear engine for this process and tests it. Must be called in each thread before the first pattern is compiled.
 *
 * The V8 flags apply to the whole process, which also benefits other regular expressions.
 */
export function hasLinearEngine(): boolean {
  return (available ??= switchOn());
}

function switchOn(): boolean {
  try {
    setFlagsFromString('--enable-experimental-regexp-engine');
    setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
    return canRunLinear('(?:(a+)|b)*?\\b[^c]$') && !canRunLinear('(a)\\1') && fallsBack();
  } catch {
    return false;
  }
}

/** Reports whether the linear engine can run a source without flags. */
export function canRunLinear(source: string): boolean {
  try {
    return new RegExp(source, linearFlag).flags === linearFlag;
  } catch {
    return false;
  }
}

/** Times a pattern that takes this thread 2 ms with the linear engine, and a second without. */
function fallsBack(): boolean {
  const begin = process.threadCpuUsage();
  // The source must be unique, because V8 does not recompile a source that it compiled before the flag was set.
  const found = new RegExp('^(?:a+)+$|[^a!]{1,1}').test(`${'a'.repeat(24)}!`);
  return !found && process.threadCpuUsage(begin).user < 200_000;
}
