/**
 * The file system on disk. Lookups and opens are synchronous. With a warm kernel cache, they take a microsecond, which is a tenth of a
 * round trip through the thread pool. Large reads use the thread pool.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
  statSync,
  type BigIntStats,
} from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { decodeBytes, encodeBytes, fileName } from '@sluice/base';
import type { FileFacts, FolderEntry, ImmediateFileSystem, OpenFile } from './file-system.ts';

/** Maximum size of a synchronous read, in bytes. Up to this size, a synchronous read is cheaper than a round trip through the thread pool. */
const maxSyncRead = 64 * 1024;
/** Maximum duration in milliseconds for a read to count as served from the kernel cache. A longer read had to wait for the disk. */
const maxSyncTime = 1;
/**
 * Period after a slow read during which reads use the thread pool, in milliseconds. During this period, the disk can't block the event
 * loop.
 */
const coldTime = 100;
/** End of the period in which reads use the thread pool, as a `performance.now()` timestamp in milliseconds. */
let coldUntil = 0;
/** Number of directory entries for which metadata is read concurrently. */
const listBatch = 64;

const ifAny = { throwIfNoEntry: false } as const;
const exact = { bigint: true } as const;
/** Use non-blocking mode, because opening a pipe or device must not block. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

class Disk implements ImmediateFileSystem {
  stat(path: string): FileFacts | null {
    return statSync(fileName(path), ifAny) ?? null;
  }

  open(path: string): DiskFile {
    const descriptor = openSync(fileName(path), flags);
    try {
      return new DiskFile(descriptor, fstatSync(descriptor, exact));
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  async list(path: string, limit: number): Promise<FolderEntry[]> {
    const names: string[] = [];
    // Read file names as bytes, so that names with invalid UTF-8 are preserved.
    const folder = await opendir(fileName(path), { encoding: 'buffer' as BufferEncoding, bufferSize: listBatch });
    for await (const entry of folder) {
      if (names.length >= limit) break;
      names.push(decodeBytes(entry.name as unknown as Buffer));
    }
    const entries: FolderEntry[] = [];
    for (let i = 0; i < names.length; i += listBatch) {
      const some = await Promise.all(names.slice(i, i + listBatch).map((name) => entryOf(path, name)));
      for (const entry of some) if (entry !== null) entries.push(entry);
    }
    return entries;
  }

  readLink(path: string): string {
    return decodeBytes(readlinkSync(encodeBytes(path), { encoding: 'buffer' }));
  }
}

/** Returns a directory entry. Returns `null` if the entry has been deleted in the meantime. */
async function entryOf(folder: string, name: string): Promise<FolderEntry | null> {
  try {
    const stats = await lstat(fileName(`${folder}/${name}`), exact);
    return { name, facts: factsOf(stats), mtimeNs: stats.mtimeNs };
  } catch {
    return null;
  }
}

class DiskFile implements OpenFile {
  readonly facts: FileFacts;
  readonly mtimeNs: bigint;
  readonly descriptor: number;

  constructor(descriptor: number, stats: BigIntStats) {
    this.descriptor = descriptor;
    this.mtimeNs = stats.mtimeNs;
    this.facts = factsOf(stats);
  }

  read(buffer: Buffer, length: number, position: number): number | Promise<number> {
    if (length <= maxSyncRead) {
      // Read small files synchronously. The event loop could run only between chunks, and a small file is a single chunk.
      if (this.facts.size <= maxSyncRead) return readSync(this.descriptor, buffer, 0, length, position);
      const began = performance.now();
      if (began >= coldUntil) return this.#readNow(buffer, length, position, began);
    }
    return new Promise((resolve, reject) => {
      read(this.descriptor, buffer, 0, length, position, (error, count) => {
        if (error === null) resolve(count);
        else reject(error);
      });
    });
  }

  #readNow(buffer: Buffer, length: number, position: number, began: number): number {
    const count = readSync(this.descriptor, buffer, 0, length, position);
    const now = performance.now();
    if (now - began > maxSyncTime) coldUntil = now + coldTime;
    return count;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

function factsOf(stats: BigIntStats): FileFacts {
  return {
    mode: Number(stats.mode),
    size: Number(stats.size),
    mtimeMs: milliseconds(stats.mtimeNs),
    ctimeMs: milliseconds(stats.ctimeNs),
    ino: Number(stats.ino),
  };
}

/**
 * Converts nanoseconds to milliseconds in the same way as `Stats`, from separate seconds and nanoseconds. The results are therefore
 * identical.
 */
function milliseconds(nanoseconds: bigint): number {
  const seconds = nanoseconds / 1_000_000_000n;
  return Number(seconds) * 1000 + Number(nanoseconds - seconds * 1_000_000_000n) / 1_000_000;
}

export const disk: ImmediateFileSystem = new Disk();
