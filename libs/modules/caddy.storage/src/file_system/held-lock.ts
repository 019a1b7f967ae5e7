/** A lock file owned by this process. */
import { rm, type FileHandle } from 'node:fs/promises';
import { SluiceError, guarded, taskOf } from '@sluice/base';
import type { Fence } from './fence.ts';
import { statOrNull } from './file-facts.ts';

/** The open lock file, its identity, and its fence. */
interface LockParts {
  readonly file: FileHandle;
  readonly inode: bigint;
  readonly fence: Fence;
}

/** Heartbeat interval of a lock file, in milliseconds. */
interface HeldTimes {
  readonly heartbeat: number;
}

export class HeldLock {
  /** Aborted when another process has taken over the lock. */
  readonly lost: AbortSignal;
  readonly #loss = new AbortController();
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #fence: Fence;
  readonly #inode: bigint;
  readonly #timer: NodeJS.Timeout;
  #released: Promise<void> | null = null;
  #beat: Promise<void> = Promise.resolve();

  private constructor(path: string, { file, inode, fence }: LockParts, times: HeldTimes) {
    this.#path = path;
    this.#file = file;
    this.#fence = fence;
    this.#inode = inode;
    this.lost = this.#loss.signal;
    const renewOnce = guarded(taskOf('caddy.storage.file_system'), () => {
      this.#beat = this.#touch();
    });
    this.#timer = setInterval(renewOnce, times.heartbeat);
    this.#timer.unref();
  }

  /** Creates the lock object for a newly created lock file. */
  static async of(path: string, file: FileHandle, fence: Fence, times: HeldTimes): Promise<HeldLock> {
    try {
      return new HeldLock(path, { file, fence, inode: (await file.stat({ bigint: true })).ino }, times);
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      await fence.remove();
      throw error;
    }
  }

  /**
   * Writes a file in the storage directory, or removes it if `value` is `null`. Rejects with ERR_STORAGE_LOCK if the lock is no longer
   * held.
   */
  async write(path: string, value: Buffer | string | null): Promise<void> {
    this.lost.throwIfAborted();
    if (!(await this.#fence.write(path, value))) throw this.#taken();
  }

  /** Releases the storage lock. Never rejects. Idempotent. */
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
      // Ignore the error. The lock becomes stale if it is not removed.
    }
    await this.#file.close().catch(() => undefined);
    await this.#fence.remove();
  }

  /** Updates the modification time of the open file. Using the path could affect the lock file of a new owner. */
  async #touch(): Promise<void> {
    try {
      const now = new Date();
      await this.#file.utimes(now, now);
      if (!(await this.#isOurs())) this.#loss.abort(this.#taken());
    } catch {
      // The storage is temporarily unavailable. The next heartbeat determines whether the lock is still held.
    }
  }

  #taken(): SluiceError {
    return new SluiceError('ERR_STORAGE_LOCK', `lock ${this.#path} was taken over by another process`);
  }

  async #isOurs(): Promise<boolean> {
    return (await statOrNull(this.#path))?.ino === this.#inode;
  }
}
