/**
 * Locks in shared memory, for critical sections of some hundred nanoseconds.
 * If a thread dies while it owns a lock, another thread takes over the lock after {@link maxWaits} waits of a
 * millisecond. Protected data must therefore be consistent at every step of the owner.
 */

/** Attempts before the thread sleeps. */
const spins = 100;
/** Number of sleeps before a lock is taken over. Elapsed time would count suspension of the process. */
const maxWaits = 1000;

/** Acquires the lock at an index, and blocks if necessary. `thread` is the number of the calling thread. */
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

/** Releases a lock that the calling thread owns. */
export function unlock(words: Int32Array, index: number): void {
  Atomics.store(words, index, 0);
}
