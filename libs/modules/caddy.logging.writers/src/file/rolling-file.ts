/** A log file that is rotated by size and time. */
import { rename, stat } from 'node:fs/promises';
import { guarded, taskOf, itemAt } from '@sluice/base';
import type { LogOutput } from '@sluice/contracts';
import { LineQueue, LostLines, type SlowSink } from '../common/line-queue.ts';
import type { Trouble } from '../common/trouble.ts';
import { AppendFile, lengthOf } from './append-file.ts';
import { backupName, maintainBackups, type BackupOptions, type RollReason } from './backups.ts';
import { maxDirect } from './direct-append.ts';
import { makeFolder, type FolderMode } from './folders.ts';
import { maxWait, nextRoll, type Schedule } from './schedule.ts';

/** Options for writing and rotating a log file. */
export interface RollingOptions extends BackupOptions, Schedule {
  readonly path: string;
  /** File permissions, which also apply to an existing file. `null` means mode 0600 for a new file. */
  readonly mode: number | null;
  readonly folderMode: FolderMode;
  /** True to allow direct I/O for large batches. */
  readonly direct: boolean;
  readonly roll: boolean;
  /** Maximum file size in bytes. */
  readonly size: number;
}

/** Minimum interval between checks for a moved file, in milliseconds. */
const lookEvery = 20;
/** Interval between clock checks while a rotation is scheduled, in milliseconds. */
const lookAtClock = 60_000;
/** Number of queued bytes beyond which the page cache is used instead of direct I/O, because the device is too slow. */
const maxBehind = 8 * 1024 * 1024;
/** Minimum interval between reports of failed rotations, in milliseconds. */
const pause = 5000;

export class RollingFile implements LogOutput, SlowSink {
  readonly #options: RollingOptions;
  readonly #trouble: Trouble;
  readonly #queue: LineQueue;
  #file: AppendFile;
  #rollAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #upkeep: Promise<void> = Promise.resolve();
  #foundAt = Number.NEGATIVE_INFINITY;
  #complainedAt = Number.NEGATIVE_INFINITY;

  private constructor(options: RollingOptions, trouble: Trouble, file: AppendFile) {
    this.#options = options;
    this.#trouble = trouble;
    this.#file = file;
    const { path } = options;
    this.#queue = new LineQueue(this, { trouble, name: path, where: 'for a file', fields: { file: path } });
    if (!options.roll) return;
    this.#schedule();
    this.#maintainBackups();
  }

  /** Opens the log file. Creates the file and its directories if necessary. */
  static async open(options: RollingOptions, trouble: Trouble): Promise<RollingFile> {
    await makeFolder(options.path, options.folderMode, options.mode);
    return new RollingFile(options, trouble, await AppendFile.open(options.path, options.mode));
  }

  write(text: string, lines: number): void {
    this.#queue.push(text, lines);
  }

  writeBytes(bytes: Buffer, lines: number, release: () => void): void {
    this.#queue.pushBytes(bytes, lines, release);
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#queue.drained();
    await this.#upkeep;
    await this.#file.close();
  }

  /** Writes chunks, and rotates the file before it exceeds its size limit. Called by the line queue. */
  async writeAll(pieces: readonly Buffer[]): Promise<void> {
    await this.#followRemoval();
    if (pieces.length === 0 && this.#reasonToRoll(0) !== null) await this.#roll('time');
    const direct = this.#options.direct && lengthOf(pieces) <= maxBehind;
    let lost = 0;
    let cause: unknown = null;
    for (let at = 0; at < pieces.length;) {
      const reason = this.#reasonToRoll(itemAt(pieces, at).length);
      if (reason !== null) await this.#roll(reason);
      const group = this.#fitting(pieces, at);
      at += group.length;
      try {
        await this.#file.append(group, direct);
      } catch (error) {
        cause = error;
        lost += error instanceof LostLines ? error.lines : 0;
      }
    }
    if (cause !== null) throw new LostLines(lost, cause);
  }

  #fitting(pieces: readonly Buffer[], from: number): readonly Buffer[] {
    const { roll, size } = this.#options;
    const maxBytes = Math.min(maxDirect, roll ? size - this.#file.size : maxDirect);
    let length = 0;
    let end = from;
    while (end < pieces.length && (length += itemAt(pieces, end).length) <= maxBytes) end++;
    return pieces.slice(from, Math.max(end, from + 1));
  }

  #reasonToRoll(more: number): RollReason | null {
    if (!this.#options.roll) return null;
    const { size } = this.#file;
    if (size > 0 && size + more > this.#options.size) return 'size';
    const now = Date.now();
    this.#followClock(now);
    return now >= this.#rollAt ? 'time' : null;
  }

  /** If another process, such as logrotate, has moved or removed the file, creates it again. */
  async #followRemoval(): Promise<void> {
    const now = performance.now();
    if (now < this.#foundAt + lookEvery) return;
    this.#foundAt = now;
    const found = await stat(this.#options.path).catch(() => null);
    if (this.#file.follow(found)) return;
    await makeFolder(this.#options.path, this.#options.folderMode, this.#options.mode);
    await this.#reopen();
  }

  /** Rotates the file. If the rotation fails, the file continues to grow, and the rotation is retried. */
  async #roll(reason: RollReason): Promise<void> {
    this.#schedule();
    if (this.#file.size === 0) return;
    try {
      await rename(this.#options.path, backupName(this.#options.path, new Date(), reason, this.#options));
      await this.#reopen();
    } catch (error) {
      this.#reportProblem('failed to rotate log file', error);
    }
    this.#maintainBackups();
  }

  /** Corrects the rotation time after the clock was set back. */
  #followClock(now: number): void {
    if (this.#rollAt - now > maxWait(this.#options)) this.#schedule();
  }

  #schedule(): void {
    this.#rollAt = nextRoll(Date.now(), this.#options);
    if (this.#options.minutes.length > 0) this.#arm();
  }

  /** Schedules the next rotation. Rotations at a time of day happen even without writes. Rotations by interval happen with the next line. */
  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const due = guarded(taskOf('caddy.logging.writers.file'), () => {
      const now = Date.now();
      if (now >= this.#rollAt) return this.#queue.wake();
      this.#followClock(now);
      this.#arm();
    });
    // Timers don't follow clock changes, so check the clock periodically.
    this.#timer = setTimeout(due, Math.min(lookAtClock, Math.max(1, this.#rollAt - Date.now()))).unref();
  }

  #maintainBackups(): void {
    this.#upkeep = this.#upkeep
      .then(() => maintainBackups(this.#options.path, this.#options))
      .catch((error: unknown) => this.#reportProblem('failed to clean up rotated log files', error));
  }

  #reportProblem(message: string, error: unknown): void {
    const now = performance.now();
    if (now < this.#complainedAt + pause) return;
    this.#complainedAt = now;
    this.#trouble.log.error(message, { file: this.#options.path, error });
  }

  async #reopen(): Promise<void> {
    const old = this.#file;
    this.#file = await AppendFile.open(this.#options.path, this.#options.mode);
    await old.close();
  }
}
