/** Timeout of event handlers. */

/** Timeout in milliseconds, which prevents a hanging handler from blocking the emitter. */
const timeout = 30_000;

/** Waits for a promise until the timeout. Returns false on timeout. Rejects if the promise does. */
export async function completesInTime(pending: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeout);
  try {
    return await Promise.race([pending.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
