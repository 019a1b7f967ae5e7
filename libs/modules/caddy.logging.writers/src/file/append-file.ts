/** A file that is open for appending whole lines. */
import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { LostLines } from '../common/line-queue.ts';
import { blockSize, DirectAppend, giveStage, leastDirect, mostDirect, takeStage } from './direct-append.ts';

const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
const feed = 0x0a;

/** What is known of a file that is open for appending, once or, while configurations change, several times. */
interface Opened {
  times: number;
  /** Bytes in it, as far as is known. */
  size: number;
  /** Ends when the file ends with a line again; `null` while it does. */
  busy: Promise<unknown> | null;
}

/** By device and inode. */
const opened = new Map<string, Opened>();

/** The open file. */
export class AppendFile {
  readonly #file: FileHandle;
  readonly #inode: number;
  /** In {@link opened}. */
  readonly #key: string;
  readonly #opened: Opened;
  /** Whether no other process seems to append. */
  #alone = true;
  /** The file once more, if that can be had; `undefined` until it is asked for. */
  #direct: DirectAppend | null | undefined = undefined;
  /** Bytes of what is being appended that are in the file. */
  #written = 0;

  private constructor(file: FileHandle, facts: Stats) {
    this.#file = file;
    this.#inode = facts.ino;
    this.#key = `${facts.dev}:${facts.ino}`;
    this.#opened = opened.get(this.#key) ?? { times: 0, size: facts.size, busy: null };
    this.#opened.times++;
    opened.set(this.#key, this.#opened);
  }

  /** Opens or makes it. With a mode it gets these permissions, whatever it had and whatever the umask says; else 0600 when made. */
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

  /** Bytes in it, as far as is known. */
  get size(): number {
    return this.#opened.size;
  }

  /** Whether what was found under its path is this file still. Takes over a size that others changed, as `copytruncate` does. */
  follow(found: Stats | null): boolean {
    if (found?.ino !== this.#inode) return false;
    // Sizes that are found while others here append are old.
    if (this.#opened.times > 1) return true;
    if (found.size !== this.#opened.size) this.#alone = found.size < this.#opened.size;
    this.#opened.size = found.size;
    return true;
  }

  /**
   * Appends whole lines. `direct` allows to write them past the page cache, if they are many, but not more than
   * {@link mostDirect} bytes. On a failure, as of a full disk, no torn line is left; throws {@link LostLines}.
   */
  async append(pieces: readonly Buffer[], direct: boolean): Promise<void> {
    this.#written = 0;
    try {
      const length = lengthOf(pieces);
      if (!direct || length < leastDirect || length > mostDirect || !(await this.#appendDirectly(pieces)))
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

  /** Blocks go past the page cache, what does not fill one, and what is not taken so, as usual. False if nothing was done. */
  async #appendDirectly(pieces: readonly Buffer[]): Promise<boolean> {
    if (!this.#mayAppendDirectly()) return false;
    if (this.#direct === undefined) this.#direct = await DirectAppend.of(this.#file);
    const stage = this.#direct === null || !this.#mayAppendDirectly() ? null : takeStage();
    if (this.#direct === null || stage === null) return false;
    try {
      const done = this.#appendStaged(pieces, stage, this.#direct);
      // Who opens the file from here on waits.
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
    // Where another process has appended the file does not end with a block. Or the system does not have it, or the disk is full.
    if (taken < last - first) this.#alone = false;
    await this.#write(stage, first + taken, end);
  }

  /** Of `written` bytes keeps the first `whole`, unless another process has appended, or it is not a plain file. */
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
      // The torn line stays.
    }
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(feed); at >= 0; at = bytes.indexOf(feed, at + 1)) lines++;
  return lines;
}

/** Bytes of all pieces. */
export function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}
