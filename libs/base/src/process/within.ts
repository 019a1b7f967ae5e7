import { maxTimer } from '../values/duration.ts';

/** Waits up to `milliseconds` for a task. Reports whether the task completed in time. Rejects if the task rejects in time. */
export async function within(task: Promise<unknown>, milliseconds: number): Promise<boolean> {
  if (milliseconds === Number.POSITIVE_INFINITY) {
    await task;
    return true;
  }
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.min(milliseconds, maxTimer));
  try {
    return await Promise.race([task.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
