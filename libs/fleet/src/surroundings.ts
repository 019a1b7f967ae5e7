/** Time and chance, as a fleet takes them: injected, so that a simulation can repeat a run by its seed. */
import { randomUUID } from 'node:crypto';
import { guarded, taskOf } from '@sluice/base';

/** What is outside of a member. */
export interface Surroundings {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs a task later; returns how to give it up. */
  after(milliseconds: number, task: () => void): () => void;
  /** From 0 to below 1. */
  random(): number;
  /** A text that there is once. */
  id(): string;
}

/** Those of the process. Its timers do not keep it alive. */
export const systemSurroundings: Surroundings = {
  now: () => Date.now(),
  after: (milliseconds, task) => {
    const timer = setTimeout(guarded(taskOf('sluice.fleet'), task), milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  id: () => randomUUID(),
};
