/** Runs a task for each item, with limited concurrency. The task must not reject. */
import { itemAt } from '@sluice/base';

export async function inParallel<T>(
  items: readonly T[],
  maxConcurrent: number,
  task: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) await task(itemAt(items, next++));
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, items.length) }, work));
}
