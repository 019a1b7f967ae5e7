/**
 * Ends the process if its main thread is in an endless loop. An endless loop kills the mutant, but slowness on a busy machine must not.
 * Only CPU time tells them apart, so a watcher thread compares it with a counter that the main thread increments in a timer.
 */
import { Worker } from 'node:worker_threads';

/**
 * Signal that ends the process, visible to its parent. Its standard meaning is that the CPU time limit was exceeded.
 */
export const loopSignal = 'SIGXCPU';

/** Interval of the main thread's timer, in milliseconds. */
const interval = 200;

/** Data for the watcher thread. */
export interface Watch {
  /** Array with a single counter. */
  readonly count: Int32Array;
  /** CPU seconds without a change of the counter. */
  readonly timeout: number;
}

/** Starts watching the calling thread. */
export function watchForLoops(timeout = 10): void {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const workerData: Watch = { count, timeout };
  // The worker does not inherit the options of this process, which may load a mutant.
  new Worker(new URL('loop-watcher.ts', import.meta.url), { workerData, execArgv: [], env: {} }).unref();
  setInterval(() => Atomics.add(count, 0, 1), interval).unref();
}
