/** Polls until a condition is true. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition is true. Rejects after `timeout` milliseconds. `what` describes the condition in the error. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string, timeout = 60_000): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: timed out after ${timeout} ms`);
    await sleep(5);
  }
}
