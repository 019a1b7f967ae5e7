/**
 * Lock files. The owner keeps the file open and updates its modification time regularly. A lock file that has not been updated for some
 * time belongs to a crashed process and may be removed. To remove it, a process must first acquire `<lock>.break` and check the lock file
 * again. Otherwise, two processes that found the same stale lock could remove each other's new locks. If the owner was only suspended, its
 * {@link Fence} has been removed and it can no longer write.
 */
import { randomUUID } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDirectory } from '@sluice/base';
import type { LockOptions } from '@sluice/contracts';
import { codeOf, statOrNull } from './file-facts.ts';
import { Fence } from './fence.ts';
import { HeldLock } from './held-lock.ts';

/** Timing of lock files, in milliseconds. Clock differences between processes that share a directory must be much less than `stale`. */
export interface LockTimes {
  /** Interval at which the owner updates the lock file. */
  readonly heartbeat: number;
  /** Age after which a lock is stale. It is a multiple of the heartbeat interval. */
  readonly stale: number;
  /** Maximum interval between checks of a lock that another process holds. */
  readonly poll: number;
}

const defaultTimes: LockTimes = { heartbeat: 3000, stale: 15_000, poll: 1000 };

/** Waits until the lock file at `path` is free and acquires the lock. */
export async function acquireLock(path: string, { signal }: LockOptions = {}, times = defaultTimes): Promise<HeldLock> {
  await makeDirectory(dirname(path));
  const watch = new StaleWatch(times.stale);
  for (let wait = 10; ; wait = Math.min(wait * 2, times.poll)) {
    signal?.throwIfAborted();
    const lock = (await statOrNull(path)) === null ? await take(path, times) : null;
    if (lock !== null) return lock;
    if (await watch.isStale(path)) await breakLock(path, watch, times);
    // Use random delays to avoid simultaneous retries.
    else await sleep(wait * (0.5 + Math.random() / 2), undefined, signal === undefined ? {} : { signal });
  }
}

/**
 * Tries to acquire the lock. Returns `null` if another process was faster. The lock file is created together with its content, so that a
 * process that breaks the lock can find the fence.
 */
async function take(path: string, times: LockTimes): Promise<HeldLock | null> {
  const fence = await Fence.make(path);
  const file = await fence.claim(path).catch(async (error: unknown) => {
    await fence.remove();
    throw error;
  });
  if (file !== null) return HeldLock.of(path, file, fence, times);
  await fence.remove();
  return null;
}

/** Creates a file. Returns `null` if it already exists. */
async function create(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return null;
    throw error;
  }
}

/** Detects stale lock files by their modification time. */
class StaleWatch {
  readonly #stale: number;
  /** A modification time in the future, and the `performance.now()` timestamp at which it was first observed. */
  #ahead = 0;
  #aheadSince = 0;

  constructor(stale: number) {
    this.#stale = stale;
  }

  async isStale(path: string): Promise<boolean> {
    const found = await statOrNull(path);
    if (found === null) return false;
    const age = Date.now() - found.mtimeMs;
    if (age > -this.#stale) return age > this.#stale;
    // The clock was set back. A running owner will update the file again, so wait for that.
    if (found.mtimeMs !== this.#ahead) {
      this.#ahead = found.mtimeMs;
      this.#aheadSince = performance.now();
    }
    return performance.now() - this.#aheadSince > this.#stale;
  }
}

async function breakLock(path: string, watch: StaleWatch, times: LockTimes): Promise<void> {
  const breaker = `${path}.break`;
  const file = await create(breaker);
  if (file === null) {
    // Another process is breaking the lock, or crashed while breaking it. After a crash, the break file is moved away. Only one process can
    // succeed in moving it.
    if (await new StaleWatch(times.stale).isStale(breaker)) await moveAway(breaker);
    else await sleep(20);
    return;
  }
  try {
    if (!(await watch.isStale(path))) return;
    await Fence.breakThat(path);
    await rm(path, { force: true });
  } finally {
    await file.close();
    await rm(breaker, { force: true });
  }
}

async function moveAway(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    await rm(aside, { force: true });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
