/** A log file to which complete lines are appended. */
import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { LostLines } from '../common/line-queue.ts';
import { blockSize, DirectAppend, giveStage, minDirect, maxDirect, takeStage } from './direct-append.ts';

const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
const feed = 0x0a;

/** State of an open file. During a configuration change, the same file can be open more than once. */
interface Opened {
  times: number;
  /** Last known file size in bytes. */
  size: number;
  /** Write in progress that may leave an incomplete line, or `null` if the file ends with a complete line. */
  busy: Promise<unknown> | null;
}

/** State of open files, by device and inode. */
const opened = new Map<string, Opened>();

export class AppendFile {
  readonly #file: FileHandle;
  readonly #inode: number;
  /** Key of this file in {@link opened}. */
  readonly #key: string;
  readonly #opened: Opened;
  /** False if another process has appended to the file. */
  #alone = true;
  /** Handle of the same file for direct I/O. `null` if direct I/O is unavailable, `undefined` before the first use. */
  #direct: DirectAppend | null | undefined = undefined;
  /** Number of bytes that the current append has written. */
  #written = 0;

  private constructor(file: FileHandle, facts: Stats) {
    this.#file = file;
    this.#inode = facts.ino;
    this.#key = `${facts.dev}:${facts.ino}`;
    this.#opened = opened.get(this.#key) ?? { times: 0, size: facts.size, busy: null };
    this.#opened.times++;
    opened.set(this.#key, this.#opened);
  }

  /**
   * Opens the file or creates it. An explicit mode is applied regardless of the umask, even to an existing file. If no mode is specified, a
   * new file has mode 0600.
   */
  static async open(path: string, mode: number | null): Promise<AppendFile> {
    const file = await open(path, flags, mode ?? 0o600);
    try {
      const facts = await file.stat();
      if (mode !== null && facts.isFile() && (facts.mode & 0o777) !== mode) await file.chmod(mode);
      const made = new AppendFile(file, facts);
      await made.#opened.busy;
      return made;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Last known file size in bytes. */
  get size(): number {
    return this.#opened.size;
  }

  /**
   * Reports whether the path still refers to this file. Updates the known size if another process has changed it, as logrotate's
   * `copytruncate` does.
   */
  follow(found: Stats | null): boolean {
    if (found?.ino !== this.#inode) return false;
    // The size from `stat` is outdated while another output of this process appends to the file.
    if (this.#opened.times > 1) return true;
    if (found.size !== this.#opened.size) this.#alone = found.size < this.#opened.size;
    this.#opened.size = found.size;
    return true;
  }

  /**
   * Appends complete lines. `direct` allows direct I/O for large batches of at most {@link maxDirect} bytes. If writing fails, for example
   * because the disk is full, removes a partial line. Throws {@link LostLines}.
   */
  async append(pieces: readonly Buffer[], direct: boolean): Promise<void> {
    this.#written = 0;
    try {
      const length = lengthOf(pieces);
      if (!direct || length < minDirect || length > maxDirect || !(await this.#appendDirectly(pieces)))
        for (const piece of pieces) await this.#write(piece, 0, piece.length);
    } catch (error) {
      const bytes = Buffer.concat(pieces);
      const whole = this.#written === 0 ? 0 : bytes.lastIndexOf(feed, this.#written - 1) + 1;
      await this.#cut(this.#written, whole);
      throw new LostLines(linesIn(bytes.subarray(whole)), error);
    }
    this.#opened.size += this.#written;
  }

  async close(): Promise<void> {
    if (--this.#opened.times === 0) opened.delete(this.#key);
    await this.#direct?.close();
    await this.#file.close();
  }

  async #write(bytes: Buffer, from: number, to: number): Promise<void> {
    for (let at = from; at < to;) {
      const { bytesWritten } = await this.#file.write(bytes, at, to - at);
      at += bytesWritten;
      this.#written += bytesWritten;
    }
  }

  /** Writes whole blocks with direct I/O and the remainder normally. Returns false if nothing was written. */
  async #appendDirectly(pieces: readonly Buffer[]): Promise<boolean> {
    if (!this.#mayAppendDirectly()) return false;
    if (this.#direct === undefined) this.#direct = await DirectAppend.of(this.#file);
    const stage = this.#direct === null || !this.#mayAppendDirectly() ? null : takeStage();
    if (this.#direct === null || stage === null) return false;
    try {
      const done = this.#appendStaged(pieces, stage, this.#direct);
      // Make other users of the file wait for this write.
      this.#opened.busy = done.catch(() => undefined);
      await done;
    } finally {
      this.#opened.busy = null;
      giveStage(stage);
    }
    return true;
  }

  #mayAppendDirectly(): boolean {
    return this.#alone && this.#opened.times === 1;
  }

  async #appendStaged(pieces: readonly Buffer[], stage: Buffer, direct: DirectAppend): Promise<void> {
    const start = this.#opened.size % blockSize;
    let end = start;
    for (const piece of pieces) end += piece.copy(stage, end);
    const first = start === 0 ? 0 : blockSize;
    await this.#write(stage, start, first);
    const last = end - (end % blockSize);
    const taken = await direct.append(stage.subarray(first, last));
    this.#written += taken;
    // The write was incomplete. Another process may have appended, so that the file no longer ends at a block boundary. Otherwise, the disk
    // is full or does not support direct I/O.
    if (taken < last - first) this.#alone = false;
    await this.#write(stage, first + taken, end);
  }

  /**
   * Truncates the last `written` bytes of the file to `whole` bytes. Does nothing if another process has appended, or if the file is not a
   * regular file.
   */
  async #cut(written: number, whole: number): Promise<void> {
    const known = this.#opened;
    known.size += written;
    if (written === whole) return;
    try {
      const facts = await this.#file.stat();
      if (!facts.isFile() || facts.size !== known.size) return;
      await this.#file.truncate(known.size - written + whole);
      known.size -= written - whole;
    } catch {
      // If truncating fails, the partial line remains in the file.
    }
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(feed); at >= 0; at = bytes.indexOf(feed, at + 1)) lines++;
  return lines;
}

/** Returns the total size of all chunks, in bytes. */
export function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}
