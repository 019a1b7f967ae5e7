/** Handles `items` in their order, at most `jobs` at a time. */
export async function inTurn<T>(items: readonly T[], jobs: number, handle: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const work = async (): Promise<void> => {
    // The iterator is shared: each worker goes on with the next item that no other has taken.
    for (const item of queue) await handle(item);
  };
  await Promise.all(Array.from({ length: jobs }, work));
}
