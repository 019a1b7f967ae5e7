/**
 * Enables V8's linear-time regular expression engine. With this setting, V8 switches from backtracking to the linear engine after 50,000
 * backtracks.
 *
 * The engine is experimental. It does not support counted repetitions, lookaround, or regular expression flags such as `i` and `u`. The
 * regular expression flag `l`, also enabled here, rejects unsupported patterns.
 */
import { setFlagsFromString } from 'node:v8';

/** Regular expression flag that V8 accepts once {@link hasLinearEngine} has been called. */
const linearFlag = 'l';

let available: boolean | null = null;

/**
 * Enables the linear engine for this process and tests it. Each thread must call this function before it compiles its first pattern.
 *
 * The V8 flags apply to the entire process, so other regular expressions benefit too.
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

/** Reports whether the linear engine supports a regular expression source without flags. */
export function canRunLinear(source: string): boolean {
  try {
    return new RegExp(source, linearFlag).flags === linearFlag;
  } catch {
    return false;
  }
}

/**
 * Tests whether V8 falls back to the linear engine, by timing a pattern. The pattern takes 2 ms with the linear engine and a second with
 * backtracking alone.
 */
function fallsBack(): boolean {
  const begin = process.threadCpuUsage();
  // Use a source that occurs nowhere else. V8 does not recompile a source that it compiled before the V8 option was set.
  const found = new RegExp('^(?:a+)+$|[^a!]{1,1}').test(`${'a'.repeat(24)}!`);
  return !found && process.threadCpuUsage(begin).user < 200_000;
}
