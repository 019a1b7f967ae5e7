/**
 * File cache of a thread: entity tags, dates, and contents of small files. Every request first calls `stat`, and cached
 * data is used only if size, times and inode are unchanged, so changes by any program are visible immediately. A file
 * that could change without changing these values (twice within one tick of the kernel clock) is not cached.
 */
import { totalmem } from 'node:os';
import { lastingBodies, type FileFacts, type FileSystem, type OpenFile } from '@sluice/http-app';
import { formatHttpDate } from '@sluice/base';

/** Maximum size of a file that is read as a whole, synchronously, on its first request. */
const maxSmall = 64 * 1024;
/** Maximum size of a file to cache when it is first sent. */
export const maxKept = 256 * 1024;
/** Maximum size of a file to cache when it is sent again. */
const maxLarge = 64 * 1024 * 1024;
/** Maximum total cache size per thread, in bytes: a 64th of the memory, within bounds. */
const maxTotal = Math.min(Math.max(memory() / 64, 32 * 1024 * 1024), 128 * 1024 * 1024);
/** Memory per file in addition to its content, in bytes. */
const overhead = 1024;
/** Maximum resolution of file system timestamps in milliseconds, with a margin. */
const clockTick = 50;

/** The current state of a file. */
export interface StoredFile extends FileFacts {
  readonly path: string;
  /** Strong validator, including quotes. */
  readonly etag: string;
  /** Modification time as an HTTP date; empty if unknown. */
  readonly lastModified: string;
  /** Modification time in milliseconds since 1970, in whole seconds; NaN if unknown. */
  readonly modified: number;
  /** Content in memory, or `null`. */
  content: Buffer | null;
  /** Content type by name, empty if unknown; `null` until first needed. */
  contentType: string | null;
}

/** Returns an empty file for paths that can't be opened without side effects, such as devices. */
export function emptyFile(path: string, facts: FileFacts): StoredFile {
  const entry = new Entry(path, { ...facts, size: 0 }, BigInt(Math.round(facts.mtimeMs)) * 1_000_000n);
  entry.content = Buffer.alloc(0);
  return entry;
}

/** Returns the entity tag of a file with a change time, in nanoseconds since 1970, and a size. */
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
  /** True while a sender collects the content. */
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

/** Files by path, up to the size limit. */
export class FileStore {
  readonly #limit: number;
  readonly #entries = new Map<string, Entry>();
  #total = 0;
  /** Number of bytes that senders are collecting. Slow clients may take long. */
  #collecting = 0;

  /** `limit` is in bytes. */
  constructor(limit: number = maxTotal) {
    this.#limit = limit;
  }

  /** Returns the cached file with this metadata, if any. */
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

  /** Caches an opened file. Reads a small one immediately. */
  load(path: string, opened: OpenFile): StoredFile {
    const now = Date.now();
    const known = this.find(path, opened.facts);
    if (known !== null) return known;
    const entry = new Entry(path, opened.facts, opened.mtimeNs);
    if (entry.size <= maxSmall) entry.content = readSmall(opened, entry.size);
    if (entry.content === null || isSettled(entry, now)) this.#add(entry);
    return entry;
  }

  /** Describes an open file without caching it, for file systems whose metadata doesn't reveal all changes. */
  describe(path: string, opened: OpenFile): StoredFile {
    return new Entry(path, opened.facts, opened.mtimeNs);
  }

  /** Caches a file's content. `since` is when reading started, in milliseconds since 1970. */
  keep(file: StoredFile, content: Buffer, since: number): void {
    if (this.#entries.get(file.path) !== file || file.content !== null || !isSettled(file, since)) return;
    file.content = content;
    lastingBodies.add(content);
    this.#total += content.length;
    this.#shrink();
  }

  /**
   * Reports whether the caller, which is about to send the whole file, should collect its content for {@link
   * collected}. Returns true once for each file that is requested repeatedly. A single file, or all content being
   * collected, may use up to half of the cache.
   */
  collects(file: StoredFile): boolean {
    if (!(file instanceof Entry) || !file.used || file.collected || file.size > maxLarge) return false;
    if (this.#collecting + file.size > this.#limit / 2 || this.#entries.get(file.path) !== file) return false;
    file.collected = true;
    this.#collecting += file.size;
    return true;
  }

  /** Ends what {@link collects} started; `null` if the read failed. `since` is when the read started. */
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

  /** Evicts the oldest entries that were not requested since the last check. */
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

/** Reports whether a file change after `now` is certain to change the timestamp. */
function isSettled(facts: FileFacts, now: number): boolean {
  return now - Math.max(facts.mtimeMs, facts.ctimeMs) > clockTick;
}

/** Returns the content; `null` if the file has become shorter. */
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

/** Returns this thread's cache for a file system, shared by all file servers. */
export function storeOf(fileSystem: FileSystem): FileStore {
  let store = stores.get(fileSystem);
  if (store === undefined) stores.set(fileSystem, (store = new FileStore()));
  return store;
}
