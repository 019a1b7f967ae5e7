/**
 * Lock files. The holder keeps its file open and touches it now and then; a file that was not touched for long is that
 * of a dead process and may be removed. Whoever removes one holds the file `<lock>.break` meanwhile, and looks again:
 * else two that found the same dead lock could remove each other's new ones.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SluiceError, guarded, taskOf } from '@sluice/base';
import type { LockOptions, StorageLock } from '@sluice/contracts';

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
export async function acquireLock(path: string, { signal }: LockOptions = {}, times = usual): Promise<StorageLock> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const watch = new StaleWatch(times.stale);
  for (let wait = 10; ; wait = Math.min(wait * 2, times.poll)) {
    signal?.throwIfAborted();
    const file = await create(path);
    if (file !== null) return HeldLock.of(path, file, times);
    if (await watch.isStale(path)) await breakLock(path, watch, times);
    // Not in step with others that wait for the same lock.
    else await sleep(wait * (0.5 + Math.random() / 2), undefined, signal === undefined ? {} : { signal });
  }
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
    if (await watch.isStale(path)) await rm(path, { force: true });
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

class HeldLock implements StorageLock {
  readonly lost: AbortSignal;
  readonly #loss = new AbortController();
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #inode: bigint;
  readonly #timer: NodeJS.Timeout;
  #released: Promise<void> | null = null;
  #beat: Promise<void> = Promise.resolve();

  private constructor(path: string, file: FileHandle, inode: bigint, times: LockTimes) {
    this.#path = path;
    this.#file = file;
    this.#inode = inode;
    this.lost = this.#loss.signal;
    const beat = guarded(taskOf('caddy.storage.file_system'), () => {
      this.#beat = this.#touch();
    });
    this.#timer = setInterval(beat, times.heartbeat);
    this.#timer.unref();
  }

  static async of(path: string, file: FileHandle, times: LockTimes): Promise<HeldLock> {
    try {
      await file.writeFile(`${JSON.stringify({ pid: process.pid, created: new Date().toISOString() })}\n`);
      return new HeldLock(path, file, (await file.stat({ bigint: true })).ino, times);
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
  }

  release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beat;
    try {
      if (await this.#isOurs()) await rm(this.#path, { force: true });
    } catch {
      // It goes stale by itself.
    }
    await this.#file.close().catch(() => undefined);
  }

  /** Touches the open file, not the path: should another have taken the lock meanwhile, its file is left alone. */
  async #touch(): Promise<void> {
    try {
      const now = new Date();
      await this.#file.utimes(now, now);
      if (!(await this.#isOurs()))
        this.#loss.abort(new SluiceError('ERR_STORAGE_LOCK', `the lock ${this.#path} was taken by another`));
    } catch {
      // A store that is away for a moment; the next beat tells.
    }
  }

  async #isOurs(): Promise<boolean> {
    return (await statOrNull(this.#path))?.ino === this.#inode;
  }
}

async function statOrNull(path: string): Promise<{ readonly ino: bigint; readonly mtimeMs: number } | null> {
  try {
    const { ino, mtimeMs } = await stat(path, { bigint: true });
    return { ino, mtimeMs: Number(mtimeMs) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The platform's name of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
