/** Runs tasks with the same key one at a time. */

/** The last task of each key, in this process. */
const last = new Map<string, Promise<unknown>>();

/** Runs a task after earlier tasks with the same key, so that a read and the dependent write are not interleaved. */
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
