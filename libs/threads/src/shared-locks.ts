/**
 * Locks in shared memory, for sections of some hundred nanoseconds. A thread that dies within a section does not block the
 * others for long: a lock that was not released after {@link maxWaits} waits of a millisecond is taken over, so what a lock
 * protects must stay usable whatever the point at which its holder stopped.
 */

/** Attempts before a thread sleeps. */
const spins = 100;
/** Sleeps before a lock is taken over. Counted, not timed: a stopped process does not count. */
const maxWaits = 1000;

/** Takes the lock at an index, waiting for it if need be. `thread` is the number of the calling thread. */
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

/** Releases a lock that the calling thread holds. */
export function unlock(words: Int32Array, index: number): void {
  Atomics.store(words, index, 0);
}
