/** Patience with tasks that may never end: ends of the server, and of what it waits for. */
import { longestTimer } from '../values/duration.ts';

/** Waits for a task, but not for ever: `milliseconds` at most. Tells whether it was done; rejects if it does in that time. */
export async function within(task: Promise<unknown>, milliseconds: number): Promise<boolean> {
  if (milliseconds === Number.POSITIVE_INFINITY) {
    await task;
    return true;
  }
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.min(milliseconds, longestTimer));
  try {
    return await Promise.race([task.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
