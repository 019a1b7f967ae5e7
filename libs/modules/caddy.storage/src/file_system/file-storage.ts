/** Storage in a local directory. */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { safeSegment, type LockOptions, type Storage, type StorageLock, type StoredInfo } from '@sluice/contracts';
import { SluiceError } from '@sluice/base';
import { temporaryName, writeAtomically } from './atomic-write.ts';
import { codeOf } from './file-facts.ts';
import { acquireLock, type LockTimes } from './lock.ts';

/** Directory of the lock files. The name is reserved, so it is not a valid key. */
const lockFolder = 'locks';

/** Maximum number of concurrent reads. A higher limit would only use more memory and thread pool threads, without being faster. */
const maxConcurrentReads = 16;

/** Stores each value in a file below `root`, with the key as its path. `root` must be an absolute path. */
export class FileStorage implements Storage {
  readonly root: string;
  readonly #lockTimes: LockTimes | undefined;
  #reading = 0;
  /** Queued reads. */
  readonly #waiting: (() => void)[] = [];

  constructor(root: string, lockTimes?: LockTimes) {
    this.root = root;
    this.#lockTimes = lockTimes;
  }

  async load(key: string): Promise<Buffer | null> {
    if (this.#reading < maxConcurrentReads) this.#reading++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await orNull(readFile(this.#path(key)));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#reading--;
      else next();
    }
  }

  async store(key: string, value: Buffer | string): Promise<void> {
    await writeAtomically(this.#path(key), value);
  }

  async delete(key: string): Promise<void> {
    await orNull(rm(this.#path(key), { recursive: true, force: true }));
  }

  async exists(key: string): Promise<boolean> {
    return (await orNull(stat(this.#path(key)))) !== null;
  }

  async list(prefix: string, recursive = false): Promise<readonly string[]> {
    const folder = prefix === '' ? this.root : this.#path(prefix);
    const entries = (await orNull(readdir(folder, { withFileTypes: true }))) ?? [];
    const keys: string[] = [];
    for (const entry of entries) {
      if (temporaryName.test(entry.name) || (prefix === '' && entry.name === lockFolder)) continue;
      const key = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (!recursive || !entry.isDirectory()) keys.push(key);
      else keys.push(...(await this.list(key, true)));
    }
    return keys.sort();
  }

  async stat(key: string): Promise<StoredInfo | null> {
    const found = await orNull(stat(this.#path(key)));
    if (found === null) return null;
    const terminal = !found.isDirectory();
    return { key, modified: found.mtimeMs, size: terminal ? found.size : 0, terminal };
  }

  async lock(name: string, options?: LockOptions): Promise<StorageLock> {
    const path = join(this.root, lockFolder, `${safeSegment(name)}.lock`);
    const lock = await acquireLock(path, options, this.#lockTimes);
    return {
      lost: lock.lost,
      writeOne: (key, value) => lock.write(this.#path(key), value),
      release: () => lock.release(),
    };
  }

  #path(key: string): string {
    const segments = key.split('/');
    if (segments[0] === lockFolder || segments.some(isForbidden))
      throw new SluiceError('ERR_STORAGE_KEY', `${JSON.stringify(key)} is not a valid storage key`);
    return join(this.root, ...segments);
  }
}

/** Reports whether a path segment is invalid or reserved. This includes path traversal, the lock directory and temporary files. */
function isForbidden(segment: string): boolean {
  return segment === '' || segment === '.' || segment === '..' || /[\\\0]/.test(segment) || temporaryName.test(segment);
}

/** Converts a not-found error to `null`. */
async function orNull<T>(pending: Promise<T>): Promise<T | null> {
  try {
    return await pending;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
