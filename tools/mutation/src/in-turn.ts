/** Handles `items` in order, at most `jobs` concurrently. */
export async function inTurn<T>(items: readonly T[], jobs: number, handle: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const work = async (): Promise<void> => {
    // All workers share the iterator, so each worker takes the next free item.
    for (const item of queue) await handle(item);
  };
  await Promise.all(Array.from({ length: jobs }, work));
}
