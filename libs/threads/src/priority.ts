/** Raises the scheduling priority of the control thread, so that it stays responsive when traffic uses all CPUs. */
import { stat } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Difference in nice values (nice(2)) between the control thread and the traffic threads. */
const ahead = 5;
const highest = -20;

/** Original priority of this thread, or null if the priority is not raised. */
let originalPriority: number | null = null;

/**
 * Gives the calling thread priority over threads that are already running. A configuration change takes a few milliseconds, spread over
 * several event loop turns. Otherwise, the change would wait for requests in each turn.
 *
 * Requires CAP_SYS_NICE and Linux, where priorities are per thread.
 */
export function preferThisThread(): void {
  if (process.platform !== 'linux' || originalPriority !== null) return;
  // Start Node's thread pool now, at the original priority, because the pool also serves traffic.
  stat('.', () => undefined);
  originalPriority = getPriority();
  prefer(Math.max(highest, originalPriority - ahead));
}

/** Runs a function at the original priority. Threads and processes that the function starts inherit this priority. */
export function atOriginalPriority<T>(work: () => T): T {
  if (originalPriority === null) return work();
  const preferred = getPriority();
  setPriority(originalPriority);
  try {
    return work();
  } finally {
    prefer(preferred);
  }
}

/** Sets the priority of the calling thread. Does nothing if the process lacks permission. */
function prefer(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    originalPriority = null;
  }
}
