/** Raises the scheduling priority of the control thread when traffic saturates all processors. */
import { stat } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Difference in nice(2) levels between the control thread and traffic threads. */
const ahead = 5;
const highest = -20;

/** Original priority of this thread, while it is raised. */
let originalPriority: number | null = null;

/**
 * Prioritizes this thread over threads started before. A configuration change takes a few milliseconds in several event loop turns, and
 * would otherwise wait for requests in each turn.
 *
 * Requires Linux, where each thread has its own priority, and CAP_SYS_NICE.
 */
export function preferThisThread(): void {
  if (process.platform !== 'linux' || originalPriority !== null) return;
  // Starts Node's thread pool now, at the normal priority, because it also serves traffic.
  stat('.', () => undefined);
  originalPriority = getPriority();
  prefer(Math.max(highest, originalPriority - ahead));
}

/** Runs a function at the original priority, which threads and processes started by the function inherit. */
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

/** Sets the priority of this thread. The priority stays unchanged if the process lacks permission. */
function prefer(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    originalPriority = null;
  }
}
