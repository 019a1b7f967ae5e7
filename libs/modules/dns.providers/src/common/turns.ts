/** Runs tasks with the same key one at a time. */

/** The most recent task for each key, within this process. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs a task after all earlier tasks with the same key. This prevents other tasks from running between a read and the write that depends
 * on it.
 */
export async function inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
  const previous = last.get(key) ?? Promise.resolve();
  const own = previous.then(task, task);
  last.set(key, own);
  try {
    return await own;
  } finally {
    if (last.get(key) === own) last.delete(key);
  }
}
