import { fileMode, stageFile } from '@sluice/base';
/** Writes the journal of a saved configuration; see journal-line.ts. */
import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { formatLine, type JournalLine } from './journal-line.ts';

/**
 * Use O_DSYNC on Linux. Data is then on disk when the write returns, with one round trip through the thread pool instead of two. On other
 * systems, the flag is missing or guarantees less than `fdatasync`.
 */
const { O_APPEND, O_CREAT, O_DSYNC, O_WRONLY } = constants;
const syncsWrites = process.platform === 'linux';
const flags = syncsWrites ? O_APPEND | O_CREAT | O_WRONLY | O_DSYNC : 'a';

/** Journal to which lines are appended. The file store serializes the calls. */
export class Journal {
  readonly #file: FileHandle;
  /** Size in bytes. */
  size: number;
  changes: number;

  private constructor(file: FileHandle, size: number, changes: number) {
    this.#file = file;
    this.size = size;
    this.changes = changes;
  }

  /** Creates a journal with these lines. Replaces an existing journal. */
  static async begin(path: string, lines: readonly JournalLine[]): Promise<Journal> {
    const staged = await stageFile(path, lines.map(formatLine));
    await staged.commit();
    const changes = lines.filter((line) => 'operations' in line).length;
    return new Journal(await open(path, flags, fileMode), staged.size, changes);
  }

  /** Deletes the journal at a path if it exists. */
  static async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Appends a line. Resolves when the line is durable. If the promise rejects, the journal may end with an incomplete line. */
  async append(line: JournalLine): Promise<void> {
    const text = formatLine(line);
    await this.#file.appendFile(text);
    if (!syncsWrites) await this.#file.datasync();
    this.size += Buffer.byteLength(text);
    if ('operations' in line) this.changes++;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
