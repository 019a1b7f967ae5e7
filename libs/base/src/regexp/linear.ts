/**
 * The engine of V8 that matches in linear time. V8 runs a regular expression by backtracking and, with the flag set here,
 * goes over to that engine when it has backtracked 50,000 times. The engine is experimental and takes no counted
 * repetitions, look-around or flags like `i` and `u`; the flag `l`, made known here as well, refuses what it cannot run.
 */
import { setFlagsFromString } from 'node:v8';

/** A flag that V8 knows once {@link hasLinearEngine} was called. */
const linearFlag = 'l';

let available: boolean | null = null;

/**
 * Turns the linear engine on for this process and tests whether it works. Called before the first pattern is compiled,
 * in each thread. The flags hold for the process; other regular expressions only gain from them.
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

/** True if a source, without flags, can be run by the linear engine. */
export function canRunLinear(source: string): boolean {
  try {
    return new RegExp(source, linearFlag).flags === linearFlag;
  } catch {
    return false;
  }
}

/** Measures a pattern that takes this thread 2 ms with the fallback and a second without. */
function fallsBack(): boolean {
  const begin = process.threadCpuUsage();
  // A source of its own: what V8 compiled before the flag was set stays as it is.
  const found = new RegExp('^(?:a+)+$|[^a!]{1,1}').test(`${'a'.repeat(24)}!`);
  return !found && process.threadCpuUsage(begin).user < 200_000;
}
