/**
 * File cache of a thread: entity tags, dates, and contents of small files. Each request first calls `stat`. Cached data is used only if
 * size, times and inode are unchanged, so changes by any program are visible immediately. Two changes within one tick of the kernel clock
 * can leave these values unchanged. A file for which this is possible is not cached.
 */
import { totalmem } from 'node:os';
import { lastingBodies, type FileFacts, type FileSystem, type OpenFile } from '@sluice/http-app';
import { formatHttpDate } from '@sluice/base';

/** Maximum size of a file that is read completely and synchronously when it is first requested. */
const maxSmall = 64 * 1024;
/** Maximum size of a file that is cached when it is first sent. */
export const maxKept = 256 * 1024;
/** Maximum size of a file that is cached when it is sent again. */
const maxLarge = 64 * 1024 * 1024;
/** Maximum total size of the cache of a thread, in bytes: 1/64 of the memory, within limits. */
const maxTotal = Math.min(Math.max(memory() / 64, 32 * 1024 * 1024), 128 * 1024 * 1024);
/** Estimated memory per cached file in addition to its content, in bytes. */
const overhead = 1024;
/** Expected resolution of the coarsest file system timestamps, including a margin, in milliseconds. */
const clockTick = 50;

/** State of a file when it was read. */
export interface StoredFile extends FileFacts {
  readonly path: string;
  /** Strong entity tag, including its quotes. */
  readonly etag: string;
  /** Modification time as an HTTP date. Empty if unknown. */
  readonly lastModified: string;
  /** Modification time in milliseconds since the Unix epoch, truncated to seconds. NaN if unknown. */
  readonly modified: number;
  /** Content if it is cached in memory, otherwise `null`. */
  content: Buffer | null;
  /** Content type based on the name. Empty if unknown, `null` before the first use. */
  contentType: string | null;
}

/** Returns an empty file for a path that can't be opened without side effects, such as a device. */
export function emptyFile(path: string, facts: FileFacts): StoredFile {
  const entry = new Entry(path, { ...facts, size: 0 }, BigInt(Math.round(facts.mtimeMs)) * 1_000_000n);
  entry.content = Buffer.alloc(0);
  return entry;
}

/** Returns an entity tag based on the modification time, in nanoseconds since the Unix epoch, and the size of a file. */
export function entityTag(mtimeNs: bigint, size: number): string {
  return `"${mtimeNs.toString(36)}-${size.toString(36)}"`;
}

class Entry implements StoredFile {
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly etag: string;
  readonly lastModified: string;
  readonly modified: number;
  content: Buffer | null = null;
  contentType: string | null = null;
  used = false;
  /** True while the content is being collected during a response. */
  collected = false;

  constructor(path: string, facts: FileFacts, mtimeNs: bigint) {
    this.path = path;
    this.mode = facts.mode;
    this.size = facts.size;
    this.mtimeMs = facts.mtimeMs;
    this.ctimeMs = facts.ctimeMs;
    this.ino = facts.ino;
    this.etag = entityTag(mtimeNs, facts.size);
    const seconds = Math.floor(facts.mtimeMs / 1000);
    this.modified = seconds === 0 ? Number.NaN : seconds * 1000;
    this.lastModified = seconds === 0 ? '' : formatHttpDate(this.modified);
  }

  isStill(facts: FileFacts): boolean {
    return (
      this.mtimeMs === facts.mtimeMs &&
      this.size === facts.size &&
      this.ctimeMs === facts.ctimeMs &&
      this.ino === facts.ino &&
      this.mode === facts.mode
    );
  }
}

/** Cache of files by path, with a limit on the total size. */
export class FileStore {
  readonly #limit: number;
  readonly #entries = new Map<string, Entry>();
  #total = 0;
  /** Number of bytes being collected during responses. If clients are slow, collecting can take a long time. */
  #collecting = 0;

  /** `limit` is the maximum total size of the cache, in bytes. */
  constructor(limit: number = maxTotal) {
    this.#limit = limit;
  }

  /** Returns the cached file if its metadata matches, or null. */
  find(path: string, facts: FileFacts): StoredFile | null {
    const entry = this.#entries.get(path);
    if (entry === undefined) return null;
    if (!entry.isStill(facts)) {
      this.#remove(entry);
      return null;
    }
    entry.used = true;
    return entry;
  }

  /** Adds an opened file to the cache. A small file is read immediately. */
  load(path: string, opened: OpenFile): StoredFile {
    const now = Date.now();
    const known = this.find(path, opened.facts);
    if (known !== null) return known;
    const entry = new Entry(path, opened.facts, opened.mtimeNs);
    if (entry.size <= maxSmall) entry.content = readSmall(opened, entry.size);
    if (entry.content === null || isSettled(entry, now)) this.#add(entry);
    return entry;
  }

  /** Returns the state of an open file without caching it. Used for file systems whose metadata does not change with every file change. */
  describe(path: string, opened: OpenFile): StoredFile {
    return new Entry(path, opened.facts, opened.mtimeNs);
  }

  /** Caches the content of a file. `since` is the time when reading started, in milliseconds since the Unix epoch. */
  keep(file: StoredFile, content: Buffer, since: number): void {
    if (this.#entries.get(file.path) !== file || file.content !== null || !isSettled(file, since)) return;
    file.content = content;
    lastingBodies.add(content);
    this.#total += content.length;
    this.#shrink();
  }

  /**
   * Reports whether the caller should collect the content for {@link collected} while it sends the whole file. Returns true once for each
   * file that is requested repeatedly. A single file may use at most half of the cache. The total size of all content that is being
   * collected has the same limit.
   */
  collects(file: StoredFile): boolean {
    if (!(file instanceof Entry) || !file.used || file.collected || file.size > maxLarge) return false;
    if (this.#collecting + file.size > this.#limit / 2 || this.#entries.get(file.path) !== file) return false;
    file.collected = true;
    this.#collecting += file.size;
    return true;
  }

  /** Ends the collection that {@link collects} started. `content` is `null` if reading failed. `since` is the time when reading started. */
  collected(file: StoredFile, content: Buffer | null, since: number): void {
    this.#collecting -= file.size;
    if (content !== null) this.keep(file, content, since);
    else if (file instanceof Entry) file.collected = false;
  }

  #add(entry: Entry): void {
    const old = this.#entries.get(entry.path);
    if (old !== undefined) this.#remove(old);
    this.#entries.set(entry.path, entry);
    if (entry.content !== null) lastingBodies.add(entry.content);
    this.#total += overhead + (entry.content?.length ?? 0);
    this.#shrink();
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.path);
    this.#total -= overhead + (entry.content?.length ?? 0);
  }

  /** Evicts the oldest entries that have not been requested since the last check. */
  #shrink(): void {
    for (const entry of this.#entries.values()) {
      if (this.#total <= this.#limit) return;
      this.#remove(entry);
      if (!entry.used) continue;
      entry.used = false;
      this.#entries.set(entry.path, entry);
      this.#total += overhead + (entry.content?.length ?? 0);
    }
  }
}

/** Returns the memory available to the process, in bytes. */
function memory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

/** Reports whether every later change to a file is certain to change its timestamp. `now` is the time of the check. */
function isSettled(facts: FileFacts, now: number): boolean {
  return now - Math.max(facts.mtimeMs, facts.ctimeMs) > clockTick;
}

/** Returns the content of a file. Returns `null` if the file has become shorter. */
function readSmall(file: OpenFile, size: number): Buffer | null {
  const content = Buffer.allocUnsafeSlow(size);
  let length = 0;
  while (length < size) {
    const count = file.read(length === 0 ? content : content.subarray(length), size - length, length);
    if (typeof count !== 'number' || count === 0) return null;
    length += count;
  }
  return content;
}

const stores = new WeakMap<FileSystem, FileStore>();

/** Returns this thread's file cache for a file system. All file servers of the thread share this cache. */
export function storeOf(fileSystem: FileSystem): FileStore {
  let store = stores.get(fileSystem);
  if (store === undefined) stores.set(fileSystem, (store = new FileStore()));
  return store;
}
