/**
 * Lock files. The holder keeps its file open and touches it now and then; a file that was not touched for long is that
 * of a dead process and may be removed. Whoever removes one holds the file `<lock>.break` meanwhile, and looks again:
 * else two that found the same dead lock could remove each other's new ones. A holder that was only stopped, and goes on,
 * finds that its {@link Fence} is gone, and can write nothing.
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

/** In milliseconds. Those who share a folder must have clocks that agree to well within `stale`. */
export interface LockTimes {
  /** How often the holder touches its file. */
  readonly heartbeat: number;
  /** After how long without a touch the holder counts as dead; several heartbeats. */
  readonly stale: number;
  /** Longest wait between two looks at a lock that is taken. */
  readonly poll: number;
}

const usual: LockTimes = { heartbeat: 3000, stale: 15_000, poll: 1000 };

/** Waits for the lock file `path` and takes it. */
export async function acquireLock(path: string, { signal }: LockOptions = {}, times = usual): Promise<HeldLock> {
  await makeDirectory(dirname(path));
  const watch = new StaleWatch(times.stale);
  for (let wait = 10; ; wait = Math.min(wait * 2, times.poll)) {
    signal?.throwIfAborted();
    const lock = (await statOrNull(path)) === null ? await take(path, times) : null;
    if (lock !== null) return lock;
    if (await watch.isStale(path)) await breakLock(path, watch, times);
    // Not in step with others that wait for the same lock.
    else await sleep(wait * (0.5 + Math.random() / 2), undefined, signal === undefined ? {} : { signal });
  }
}

/** The lock, or `null` if another was first. Its file appears with all that is in it: who breaks it has to find the fence. */
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

/** The new file, or `null` if there is one. */
async function create(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return null;
    throw error;
  }
}

/** Tells whether the holder of a lock is dead, by when its file was touched. */
class StaleWatch {
  readonly #stale: number;
  /** A touch that is yet to come by our clock, and when it was seen first, in milliseconds of `performance.now()`. */
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
    // The clock was set back since. A holder that lives touches its file again; nothing else tells.
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
    // Someone is at it, or died in these few instructions; then its file is moved away, which one of us can do once.
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
