/** Enforces the timeout of event handlers. */

/** Timeout in milliseconds. It prevents a hanging handler from blocking the emitter. */
const timeout = 30_000;

/** Waits for a promise until the timeout. Returns false if the timeout expires. Rejects if the promise rejects. */
export async function completesInTime(pending: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeout);
  try {
    return await Promise.race([pending.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
