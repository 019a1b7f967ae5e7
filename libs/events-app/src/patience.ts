/** How long handlers are waited for. */

/** Longest that a handler is waited for, in milliseconds: one that hangs must not harm the emitter. */
const patience = 30_000;

/** Waits for a promise, but not longer than that; tells whether it was in time. Rejects if it does. */
export async function inTime(pending: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), patience);
  try {
    return await Promise.race([pending.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
