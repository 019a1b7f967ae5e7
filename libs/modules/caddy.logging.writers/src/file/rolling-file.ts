/** An append-only file that is renamed aside when it grows large or old. Lines of one turn are written together. */
import { constants } from 'node:fs';
import { mkdir, open, rename, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, type Logger, type LogOutput } from '@sluice/registry';
import { backupName, compressBackup, removeOldBackups, type BackupOptions } from './backups.ts';
import { nextRoll } from './schedule.ts';

/** How a file is written and rolled. Sizes in bytes, times in milliseconds. */
export interface RollingOptions extends BackupOptions {
  readonly path: string;
  readonly mode: number;
  readonly folderMode: number;
  readonly roll: boolean;
  readonly size: number;
  /** 0: not by age. */
  readonly interval: number;
  /** Minutes of the day, ascending. */
  readonly minutes: readonly number[];
}

/** Most text that waits for a slow disk; beyond it lines are dropped and counted. */
const maxPending = 64 * 1024 * 1024;

/** An open log file. */
export class RollingFile implements LogOutput {
  readonly #options: RollingOptions;
  readonly #log: Logger;
  #file: FileHandle;
  #inode: number;
  #size: number;
  #rollAt: number;
  #pending: string[] = [];
  #pendingSize = 0;
  #dropped = 0;
  #writing: Promise<void> | null = null;
  #upkeep: Promise<void> = Promise.resolve();

  private constructor(options: RollingOptions, log: Logger, file: FileHandle, inode: number, size: number) {
    this.#options = options;
    this.#log = log;
    this.#file = file;
    this.#inode = inode;
    this.#size = size;
    this.#rollAt = nextRoll(Date.now(), options.interval, options.minutes);
  }

  /** Opens or makes the file and its folder. */
  static async open(options: RollingOptions, log: Logger): Promise<RollingFile> {
    await mkdir(dirname(options.path), { recursive: true, mode: options.folderMode });
    const { file, inode, size } = await openFile(options);
    return new RollingFile(options, log, file, inode, size);
  }

  write(line: string): void {
    if (this.#pendingSize > maxPending) {
      this.#dropped++;
      return;
    }
    this.#pending.push(line);
    this.#pendingSize += line.length;
    this.#writing ??= this.#drain();
  }

  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    await this.#upkeep;
    await this.#file.close();
  }

  async #drain(): Promise<void> {
    // Whatever else is logged in this turn goes with it.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0) {
      const lines = this.#pending;
      this.#pending = [];
      this.#pendingSize = 0;
      try {
        await this.#writeLines(lines);
      } catch (error) {
        this.#dropped += lines.length;
        this.#log.error('cannot write to a log file', { file: this.#options.path, error: messageOf(error) });
      }
      if (this.#dropped > 0) {
        this.#log.error('log lines were dropped', { file: this.#options.path, lines: this.#dropped });
        this.#dropped = 0;
      }
    }
    this.#writing = null;
  }

  /** Writes lines in pieces that respect the size at which the file is rolled. */
  async #writeLines(lines: readonly string[]): Promise<void> {
    await this.#followRemoval();
    let piece: Buffer[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      if (size > 0) await this.#file.appendFile(Buffer.concat(piece));
      this.#size += size;
      piece = [];
      size = 0;
    };
    for (const line of lines) {
      const bytes = Buffer.from(line);
      const full = this.#options.roll && this.#size + size + bytes.length > this.#options.size && this.#size + size > 0;
      if (full || Date.now() >= this.#rollAt) {
        await flush();
        await this.#roll();
      }
      piece.push(bytes);
      size += bytes.length;
    }
    await flush();
  }

  /** Somebody moved or removed the file, as log rotation tools do: begin it anew. */
  async #followRemoval(): Promise<void> {
    const found = await stat(this.#options.path).catch(() => null);
    if (found?.ino === this.#inode) return;
    await this.#reopen();
  }

  async #roll(): Promise<void> {
    this.#rollAt = nextRoll(Date.now(), this.#options.interval, this.#options.minutes);
    if (!this.#options.roll || this.#size === 0) return;
    const backup = backupName(this.#options.path, new Date(), this.#options.localTime);
    await rename(this.#options.path, backup);
    await this.#reopen();
    this.#upkeep = this.#upkeep
      .then(async () => {
        await compressBackup(backup, this.#options);
        await removeOldBackups(this.#options.path, this.#options);
      })
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

async function openFile({ path, mode }: RollingOptions): Promise<{ file: FileHandle; inode: number; size: number }> {
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, mode);
  const { ino, size } = await file.stat();
  return { file, inode: ino, size };
}
