/**
 * What a thread remembers of files: entity tag, date, and the content of small ones. Every request looks at the file
 * first (one `stat`), and what is remembered counts only if size, times and inode are still the same. So a change is
 * seen at once, whoever makes it. Where a content could change without any of these (twice within one tick of the
 * kernel's clock), it is not kept.
 */
import { totalmem } from 'node:os';
import { lastingBodies, type FileFacts, type FileSystem, type OpenFile } from '@sluice/http-app';
import { formatHttpDate } from '@sluice/base';

/** Files up to this size are read whole, at once, when they are first looked at. */
const maxSmall = 64 * 1024;
/** The content of files up to this size is kept when it was first sent. */
export const maxKept = 256 * 1024;
/** The content of files up to this size is kept when it is sent once more. */
const maxLarge = 64 * 1024 * 1024;
/** All that is kept, in bytes per thread: a 64th of the memory, within bounds. */
const maxTotal = Math.min(Math.max(memory() / 64, 32 * 1024 * 1024), 128 * 1024 * 1024);
/** What a file costs besides its content. */
const overhead = 1024;
/** Longest tick of a clock that file systems stamp changes with, in milliseconds, and some more. */
const clockTick = 50;

/** A file as it is now. */
export interface StoredFile extends FileFacts {
  readonly path: string;
  /** Strong validator, with its quotes. */
  readonly etag: string;
  /** Time of the last change as an HTTP date; empty if there is none. */
  readonly lastModified: string;
  /** The same in milliseconds since 1970, without fraction of a second; NaN if there is none. */
  readonly modified: number;
  /** The content if it is in memory. */
  content: Buffer | null;
  /** By the name of this file, empty where it is unknown; `null` until it is asked for. */
  contentType: string | null;
}

/** What cannot be opened without side effects, such as a device, is served as an empty file. */
export function emptyFile(path: string, facts: FileFacts): StoredFile {
  const entry = new Entry(path, { ...facts, size: 0 }, BigInt(Math.round(facts.mtimeMs)) * 1_000_000n);
  entry.content = Buffer.alloc(0);
  return entry;
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
  /** Whether it was asked for since it was last considered for removal. */
  used = false;
  /** Someone collects the content while sending it. */
  collected = false;

  constructor(path: string, facts: FileFacts, mtimeNs: bigint) {
    this.path = path;
    this.mode = facts.mode;
    this.size = facts.size;
    this.mtimeMs = facts.mtimeMs;
    this.ctimeMs = facts.ctimeMs;
    this.ino = facts.ino;
    this.etag = `"${mtimeNs.toString(36)}-${facts.size.toString(36)}"`;
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

/** Files by path, as many as fit. */
export class FileStore {
  readonly #limit: number;
  readonly #entries = new Map<string, Entry>();
  #total = 0;
  /** Bytes that are being collected by those who send them; slow clients take their time. */
  #collecting = 0;

  /** `limit` is in bytes. */
  constructor(limit: number = maxTotal) {
    this.#limit = limit;
  }

  /** The file with these facts, if it is remembered. */
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

  /** The file that was opened. A small one is read at once. */
  load(path: string, opened: OpenFile): StoredFile {
    const now = Date.now();
    const known = this.find(path, opened.facts);
    if (known !== null) return known;
    const entry = new Entry(path, opened.facts, opened.mtimeNs);
    if (entry.size <= maxSmall) entry.content = readSmall(opened, entry.size);
    if (entry.content === null || isSettled(entry, now)) this.#add(entry);
    return entry;
  }

  /** What an open file is, without remembering it: for file systems whose facts do not tell all changes. */
  describe(path: string, opened: OpenFile): StoredFile {
    return new Entry(path, opened.facts, opened.mtimeNs);
  }

  /** Keeps the content of a file, which was read from the time `since` on (milliseconds since 1970). */
  keep(file: StoredFile, content: Buffer, since: number): void {
    if (this.#entries.get(file.path) !== file || file.content !== null || !isSettled(file, since)) return;
    file.content = content;
    lastingBodies.add(content);
    this.#total += content.length;
    this.#shrink();
  }

  /**
   * Whether the caller, who is about to send all of the file, is to collect its content and bring it to {@link collected}:
   * once for each file that is asked for again and again. Half of what is kept may be one file, or be collected at a time.
   */
  collects(file: StoredFile): boolean {
    if (!(file instanceof Entry) || !file.used || file.collected || file.size > maxLarge) return false;
    if (this.#collecting + file.size > this.#limit / 2 || this.#entries.get(file.path) !== file) return false;
    file.collected = true;
    this.#collecting += file.size;
    return true;
  }

  /** Ends what {@link collects} began; `null` if it came to nothing. The content was read from the time `since` on. */
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

  /** Removes the oldest entries that no one asked for since the last time round. */
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

/** Bytes that the process may use. */
function memory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

/** Whether every change of a file after `now` will have another time than the last one. */
function isSettled(facts: FileFacts, now: number): boolean {
  return now - Math.max(facts.mtimeMs, facts.ctimeMs) > clockTick;
}

/** The content; `null` if the file got shorter meanwhile. */
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

/** What this thread remembers of a file system, for all file servers in it. */
export function storeOf(fileSystem: FileSystem): FileStore {
  let store = stores.get(fileSystem);
  if (store === undefined) stores.set(fileSystem, (store = new FileStore()));
  return store;
}
