/** Calls `handle` for each item in order, with at most `jobs` concurrent calls. */
export async function inTurn<T>(items: readonly T[], jobs: number, handle: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const work = async (): Promise<void> => {
    // All workers share the iterator, so each worker takes the next unprocessed item.
    for (const item of queue) await handle(item);
  };
  await Promise.all(Array.from({ length: jobs }, work));
}
