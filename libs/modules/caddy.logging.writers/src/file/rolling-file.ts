/** An append-only file that is renamed aside when it grows large or old. */
import { constants } from 'node:fs';
import { open, rename, stat, type FileHandle } from 'node:fs/promises';
import { DropReport, messageOf, type Logger, type LogOutput } from '@sluice/registry';
import { LineQueue, type SlowSink } from '../common/line-queue.ts';
import { backupName, lookAfterBackups, type BackupOptions, type RollReason } from './backups.ts';
import { makeFolder, type FolderMode } from './folders.ts';
import { nextRoll, type Schedule } from './schedule.ts';

/** How a file is written and rolled. */
export interface RollingOptions extends BackupOptions, Schedule {
  readonly path: string;
  readonly mode: number;
  readonly folderMode: FolderMode;
  readonly roll: boolean;
  /** Bytes. */
  readonly size: number;
}

/** An open log file. */
export class RollingFile implements LogOutput, SlowSink {
  readonly #options: RollingOptions;
  readonly #log: Logger;
  readonly #queue: LineQueue;
  #file: FileHandle;
  #inode: number;
  #size: number;
  #rollAt: number;
  #upkeep: Promise<void> = Promise.resolve();

  private constructor(options: RollingOptions, log: Logger, { file, inode, size }: OpenFile) {
    this.#options = options;
    this.#log = log;
    this.#file = file;
    this.#inode = inode;
    this.#size = size;
    this.#rollAt = nextRoll(Date.now(), options);
    const dropped = new DropReport(log, 'for a file', { file: options.path });
    this.#queue = new LineQueue(this, { dropped, log, name: options.path });
    if (options.roll) this.#lookAfterBackups();
  }

  /** Opens or makes the file and its folders. */
  static async open(options: RollingOptions, log: Logger): Promise<RollingFile> {
    await makeFolder(options.path, options.folderMode, options.mode);
    return new RollingFile(options, log, await openFile(options));
  }

  write(text: string, lines: number): void {
    this.#queue.push(text, lines);
  }

  async close(): Promise<void> {
    await this.#queue.drained();
    await this.#upkeep;
    await this.#file.close();
  }

  /** Writes pieces so that the file stays below its size. Called by the queue. */
  async writeAll(pieces: readonly string[]): Promise<void> {
    await this.#followRemoval();
    let together: Buffer[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      if (size > 0)
        await this.#file.appendFile(together.length === 1 ? (together[0] as Buffer) : Buffer.concat(together));
      this.#size += size;
      together = [];
      size = 0;
    };
    for (const piece of pieces) {
      const bytes = Buffer.from(piece);
      const reason = this.#reasonToRoll(size, bytes.length);
      if (reason !== null) {
        await flush();
        await this.#roll(reason);
      }
      together.push(bytes);
      size += bytes.length;
    }
    await flush();
  }

  #reasonToRoll(before: number, more: number): RollReason | null {
    if (!this.#options.roll) return null;
    const size = this.#size + before;
    if (size > 0 && size + more > this.#options.size) return 'size';
    return Date.now() >= this.#rollAt ? 'time' : null;
  }

  /** Somebody moved or removed the file, as tools that rotate logs do: begin it anew. */
  async #followRemoval(): Promise<void> {
    const found = await stat(this.#options.path).catch(() => null);
    if (found?.ino === this.#inode) {
      // It may have been emptied in its place (`copytruncate`).
      if (found.size < this.#size) this.#size = found.size;
      return;
    }
    await makeFolder(this.#options.path, this.#options.folderMode, this.#options.mode);
    await this.#reopen();
  }

  async #roll(reason: RollReason): Promise<void> {
    this.#rollAt = nextRoll(Date.now(), this.#options);
    if (this.#size === 0) return;
    await rename(this.#options.path, backupName(this.#options.path, new Date(), reason, this.#options));
    await this.#reopen();
    this.#lookAfterBackups();
  }

  #lookAfterBackups(): void {
    this.#upkeep = this.#upkeep
      .then(() => lookAfterBackups(this.#options.path, this.#options))
      .catch((error: unknown) =>
        this.#log.error('cannot look after rolled log files', { file: this.#options.path, error: messageOf(error) }),
      );
  }

  async #reopen(): Promise<void> {
    const { file, inode, size } = await openFile(this.#options);
    const old = this.#file;
    this.#file = file;
    this.#inode = inode;
    this.#size = size;
    await old.close();
  }
}

interface OpenFile {
  readonly file: FileHandle;
  readonly inode: number;
  readonly size: number;
}

async function openFile({ path, mode }: RollingOptions): Promise<OpenFile> {
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, mode);
  const { ino, size } = await file.stat();
  return { file, inode: ino, size };
}
