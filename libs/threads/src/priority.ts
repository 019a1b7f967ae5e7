/** How soon the control thread gets its turn while traffic keeps all processors busy. */
import { stat } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Steps of nice(2) between the control thread and those of traffic. */
const ahead = 5;
const highest = -20;

/** What this thread had before, while it is preferred. */
let usual: number | null = null;

/**
 * Has the system prefer this thread to those that were started before: a change of the configuration is a few
 * milliseconds of work in several turns, and would wait for requests at each. Only where the process may (CAP_SYS_NICE),
 * and on Linux, where priorities are those of threads.
 */
export function preferThisThread(): void {
  if (process.platform !== 'linux' || usual !== null) return;
  // Node starts the threads for files and compression, which serve traffic as well, with the first such work.
  stat('.', () => undefined);
  usual = getPriority();
  prefer(Math.max(highest, usual - ahead));
}

/** Does something at the priority of before: threads and processes that it starts inherit that. */
export function atUsualPriority<T>(work: () => T): T {
  if (usual === null) return work();
  const preferred = getPriority();
  setPriority(usual);
  try {
    return work();
  } finally {
    prefer(preferred);
  }
}

/** It goes without, in its turn, where it may not or may no longer. */
function prefer(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    usual = null;
  }
}
