/**
 * Locks in shared memory, for critical sections of a few hundred nanoseconds. If a thread dies while it owns a lock, another thread takes
 * over the lock after {@link maxWaits} sleeps of one millisecond. Each step of the owner must therefore leave the protected data
 * consistent.
 */

/** Number of attempts to acquire a lock before the thread sleeps. */
const spins = 100;
/** Number of sleeps before a lock is taken over. Sleeps are counted because elapsed time would include suspension of the process. */
const maxWaits = 1000;

/** Acquires the lock at an index. Blocks if necessary. `thread` is the number of the calling thread. */
export function lock(words: Int32Array, index: number, thread: number): void {
  const own = thread + 1;
  for (let i = 0; i < spins; i++) if (Atomics.compareExchange(words, index, 0, own) === 0) return;
  for (let waits = 0; ; waits++) {
    const holder = Atomics.compareExchange(words, index, 0, own);
    if (holder === 0) return;
    if (waits >= maxWaits && Atomics.compareExchange(words, index, holder, own) === holder) return;
    Atomics.wait(words, index, holder, 1);
  }
}

/** Releases a lock owned by the calling thread. */
export function unlock(words: Int32Array, index: number): void {
  Atomics.store(words, index, 0);
}
