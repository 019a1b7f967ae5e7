/** Time, timers, and random numbers for a fleet member. A simulation replaces them, so that it can repeat a run from a seed. */
import { randomUUID } from 'node:crypto';
import { guarded, taskOf } from '@sluice/base';

export interface MemberEnvironment {
  /** Returns the current time in milliseconds since the Unix epoch. */
  now(): number;
  /** Runs a task after a delay. Returns a function that cancels the task. */
  after(milliseconds: number, task: () => void): () => void;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Returns a unique ID. */
  id(): string;
}

/** System clock, timers, and random numbers. The timers do not keep the process running. */
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
