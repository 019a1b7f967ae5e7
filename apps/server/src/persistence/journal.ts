/** The journal of a saved configuration, open for writing; see journal-line.ts. */
import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { fileMode, stageFile } from './durable-file.ts';
import { formatLine, type JournalLine } from './journal-line.ts';

/**
 * Linux has what is written on the disk when the call returns: one way through the thread pool in place of two, each of which
 * waits for a processor while requests run. Elsewhere the flag is missing, or promises less than `fdatasync`.
 */
const { O_APPEND, O_CREAT, O_DSYNC, O_WRONLY } = constants;
const syncsWrites = process.platform === 'linux';
const flags = syncsWrites ? O_APPEND | O_CREAT | O_WRONLY | O_DSYNC : 'a';

/** Appends lines. One call at a time; the file store sees to it. */
export class Journal {
  readonly #file: FileHandle;
  /** Bytes. */
  size: number;
  /** Lines of changes. */
  changes: number;

  private constructor(file: FileHandle, size: number, changes: number) {
    this.#file = file;
    this.size = size;
    this.changes = changes;
  }

  /** Begins a journal with these lines, in place of any that is there. */
  static async begin(path: string, lines: readonly JournalLine[]): Promise<Journal> {
    const staged = await stageFile(path, lines.map(formatLine));
    await staged.commit();
    const changes = lines.filter((line) => 'operations' in line).length;
    return new Journal(await open(path, flags, fileMode), staged.size, changes);
  }

  /** Removes the journal at a path, if there is one. */
  static async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Resolves when the line is on the disk for good. When it rejects, the journal may end in half a line. */
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
