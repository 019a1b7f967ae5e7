/**
 * Ends the process when its main thread is in an endless loop. A mutant is killed by such a loop, as a test runner would
 * never end; a run that is slow because the machine is busy is not one. Only the time of the processor tells which it is,
 * so a thread of its own compares it with a count that the main thread raises whenever it comes to its timers.
 */
import { Worker } from 'node:worker_threads';

/** What ends the process, for its parent to see: "time limit of the processor exceeded". */
export const loopSignal = 'SIGXCPU';

/** How often the main thread shows that it is none, in milliseconds. */
const interval = 200;

/** What the thread is given. */
export interface Watch {
  /** One counter. */
  readonly count: Int32Array;
  /** Seconds of the processor without a change of the counter. */
  readonly timeout: number;
}

/** Starts to watch the thread that calls it. */
export function watchForLoops(timeout = 10): void {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const workerData: Watch = { count, timeout };
  // Without the options of this process, which may load a mutant.
  new Worker(new URL('loop-watcher.ts', import.meta.url), { workerData, execArgv: [], env: {} }).unref();
  setInterval(() => Atomics.add(count, 0, 1), interval).unref();
}
