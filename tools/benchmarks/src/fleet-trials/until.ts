/** Polling for a condition. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition is true. Rejects after `timeout` milliseconds. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string, timeout = 60_000): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: timed out after ${timeout} ms`);
    await sleep(5);
  }
}
