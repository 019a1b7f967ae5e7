/** Waiting for what comes by itself. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string, patience = 60_000): Promise<void> {
  const end = performance.now() + patience;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${patience} ms`);
    await sleep(5);
  }
}
