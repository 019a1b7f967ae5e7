/**
 * Kills the process if its main thread is in an infinite loop. An infinite loop counts as a killed mutant, but slowness on a busy machine
 * does not. Only CPU time distinguishes the two. A watcher thread compares CPU time with a counter that a timer of the main thread
 * increments.
 */
import { Worker } from 'node:worker_threads';

/**
 * Signal that terminates the process. The parent process can observe the signal. By convention, it means that the CPU time limit was
 * exceeded.
 */
export const loopSignal = 'SIGXCPU';

/** Interval of the main thread's timer, in milliseconds. */
const interval = 200;

/** Data shared with the watcher thread. */
export interface Watch {
  /** Shared array with a single counter. */
  readonly count: Int32Array;
  /** Maximum CPU time in seconds for which the counter may stay unchanged. After that, the process is killed. */
  readonly timeout: number;
}

/** Starts to watch the calling thread. */
export function watchForLoops(timeout = 10): void {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const workerData: Watch = { count, timeout };
  // The worker does not inherit the options of this process, because they may load a mutant.
  new Worker(new URL('loop-watcher.ts', import.meta.url), { workerData, execArgv: [], env: {} }).unref();
  setInterval(() => Atomics.add(count, 0, 1), interval).unref();
}
