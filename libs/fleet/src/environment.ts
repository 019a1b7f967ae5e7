/** Time and random numbers, injected so that a simulation can repeat a run from a seed. */
import { randomUUID } from 'node:crypto';
import { guarded, taskOf } from '@sluice/base';

export interface MemberEnvironment {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Runs a task later. Returns a function that cancels it. */
  after(milliseconds: number, task: () => void): () => void;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Returns a unique id. */
  id(): string;
}

/** The time, timers and random numbers of the process. Timers do not keep the process alive. */
export const systemEnvironment: MemberEnvironment = {
  now: () => Date.now(),
  after: (milliseconds, task) => {
    const timer = setTimeout(guarded(taskOf('sluice.fleet'), task), milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  id: () => randomUUID(),
};
