/** A file opened for appending whole lines. */
import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { LostLines } from '../common/line-queue.ts';
import { blockSize, DirectAppend, giveStage, minDirect, maxDirect, takeStage } from './direct-append.ts';

const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
const feed = 0x0a;

/** State of an open file. It may be open several times during configuration changes. */
interface Opened {
  times: number;
  /** Known size in bytes. */
  size: number;
  /** Pending until the file ends with a complete line; `null` if it does. */
  busy: Promise<unknown> | null;
}

/** Open files by device and inode. */
const opened = new Map<string, Opened>();

export class AppendFile {
  readonly #file: FileHandle;
  readonly #inode: number;
  /** Key in {@link opened}. */
  readonly #key: string;
  readonly #opened: Opened;
  /** False after another process has appended to the file. */
  #alone = true;
  /** The file opened for direct I/O; `null` if unavailable, `undefined` until first used. */
  #direct: DirectAppend | null | undefined = undefined;
  /** Number of bytes written by the current append. */
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
   * Opens or creates the file. A given mode is applied regardless of the umask, even to an existing file; otherwise, a new file has mode
   * 0600.
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

  /** Known size in bytes. */
  get size(): number {
    return this.#opened.size;
  }

  /**
   * Reports whether the path still refers to this file. Updates the size if other processes have changed it, as
   * `copytruncate` does.
   */
  follow(found: Stats | null): boolean {
    if (found?.ino !== this.#inode) return false;
    // The size is outdated while another output of this process appends.
    if (this.#opened.times > 1) return true;
    if (found.size !== this.#opened.size) this.#alone = found.size < this.#opened.size;
    this.#opened.size = found.size;
    return true;
  }

  /**
   * Appends whole lines. `direct` allows direct I/O for large batches of at most {@link maxDirect} bytes. A failure,
   * such as a full disk, leaves no partial line. Throws {@link LostLines}.
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

  /** Writes whole blocks with direct I/O, and the rest normally. Returns false if nothing was written. */
  async #appendDirectly(pieces: readonly Buffer[]): Promise<boolean> {
    if (!this.#mayAppendDirectly()) return false;
    if (this.#direct === undefined) this.#direct = await DirectAppend.of(this.#file);
    const stage = this.#direct === null || !this.#mayAppendDirectly() ? null : takeStage();
    if (this.#direct === null || stage === null) return false;
    try {
      const done = this.#appendStaged(pieces, stage, this.#direct);
      // Other users of the file wait.
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
    // If another process has appended, the file does not end at a block boundary. Otherwise, direct I/O is not
    // supported, or the disk is full.
    if (taken < last - first) this.#alone = false;
    await this.#write(stage, first + taken, end);
  }

  /**
   * Truncates the last `written` bytes to `whole` bytes, unless another process has appended or the file is not
   * regular.
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
      // The partial line remains.
    }
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(feed); at >= 0; at = bytes.indexOf(feed, at + 1)) lines++;
  return lines;
}

/** Returns the total size of all pieces in bytes. */
export function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}
