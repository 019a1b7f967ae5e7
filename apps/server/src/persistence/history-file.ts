/**
 * Saves the configuration history in `history.journal` next to the saved configuration. Changes are appended in batches and without
 * syncing, so no change waits for the file. The file is rewritten when it has grown too large. Documents contain secrets, so only the owner
 * can read the file.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { guarded, makeDirectory, taskOf, type Json, type Logger, fileMode, stageFile } from '@sluice/base';
import type { History, HistoryEntry, HistoryStore, Past } from '@sluice/reconciler';
import { formatChecked, formatCheckedPieces } from './checked-line.ts';
import { jsonChunks } from './json-chunks.ts';
import { readPast, type FoundPast, type HistorySize } from './past.ts';

/** File name of the history in the configuration directory. */
export const historyName = 'history.journal';

/** Time for which changes are batched, in milliseconds. */
const timeout = 200;
/** Maximum number of lines before the file is rewritten. Rewriting should be rare, because its cost is proportional to the document size. */
const maxLines = 2000;
/** Minimum growth in bytes before the file is rewritten. The file must also have doubled in size. */
const maxGrowth = 4 * 1024 * 1024;

/** Configuration history file in a directory. */
export class HistoryFile implements HistoryStore {
  readonly past: Past | null;
  /** True if the whole file was readable. In this case, `past` ends with the last active document. */
  readonly isWhole: boolean;
  readonly #folder: string;
  readonly #path: string;
  readonly #log: Logger;
  /** Last recorded change, or `null` if there is none. */
  #latest: { readonly revision: number; readonly document: Json; readonly history: History } | null = null;
  /** Current document of the history. It is tracked even if it must not be written. */
  #current: Json = null;
  #waiting: HistoryEntry[] = [];
  /** Changes up to this revision must not be written. */
  #hidden = 0;
  #isInterrupted = false;
  #file: FileHandle | null = null;
  /** Size of the history file, or `null` if the file must be rewritten. */
  #size: HistorySize | null;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  private constructor(folder: string, log: Logger, { past, size }: FoundPast) {
    this.past = past;
    this.isWhole = size !== null;
    this.#folder = folder;
    this.#path = join(folder, historyName);
    this.#log = log;
    this.#size = size;
  }

  /** Reads the history file in a directory. */
  static async open(folder: string, log: Logger): Promise<HistoryFile> {
    const found = await readPast(join(folder, historyName));
    if (found.warning !== null) log.warn(found.warning);
    return new HistoryFile(folder, log, found);
  }

  record(entry: HistoryEntry, document: Json, history: History): void {
    this.#latest = { revision: entry.revision, document, history };
    this.#current = document;
    if (this.#isInterrupted) {
      this.#isInterrupted = false;
      // Don't write the change, because it would reveal the previous document.
      this.#hidden = entry.revision;
      this.#size = null;
    } else this.#waiting.push(entry);
    this.#timer ??= setTimeout(
      guarded(taskOf('admin'), () => this.#wake()),
      timeout,
    ).unref();
  }

  interrupt(document: Json): void {
    this.#current = document;
    this.#isInterrupted = true;
  }

  /** Writes pending changes. */
  async close(): Promise<void> {
    this.#wake();
    await this.#writing;
    await this.#file?.close();
    this.#file = null;
  }

  #wake(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    if (this.#latest === null || (this.#waiting.length === 0 && this.#size !== null)) return;
    try {
      if (this.#size === null || this.#isTooLarge(this.#size)) await this.#begin();
      else await this.#append(this.#size);
    } catch (error) {
      this.#size = null;
      this.#log.warn('failed to write history; will retry with the next change', { error });
    }
  }

  #isTooLarge({ lines, bytes, begun }: HistorySize): boolean {
    return lines + this.#waiting.length > maxLines || bytes > Math.max(2 * begun, begun + maxGrowth);
  }

  async #append(size: HistorySize): Promise<void> {
    const entries = this.#waiting;
    this.#waiting = [];
    const text = entries.map(formatChecked).join('');
    this.#file ??= await open(this.#path, 'a', fileMode);
    await this.#file.appendFile(text);
    size.lines += entries.length;
    size.bytes += text.length;
  }

  async #begin(): Promise<void> {
    if (this.#latest === null) return;
    const { revision, document, history } = this.#latest;
    this.#waiting = [];
    const isShown = (entry: HistoryEntry): boolean => entry.revision > this.#hidden && entry.revision <= revision;
    const entries = history.entries.filter(isShown).toReversed();
    const [oldest] = entries;
    const before = oldest === undefined ? null : history.documentBefore(oldest.revision, this.#current);
    const base = before === null ? document : before.document;
    const pieces = [`{"revision":${oldest === undefined ? revision : oldest.revision - 1},"document":`];
    for (const piece of jsonChunks(base)) {
      pieces.push(piece);
      await nextTurn();
    }
    pieces.push('}');
    await this.#file?.close();
    this.#file = null;
    await makeDirectory(this.#folder);
    const staged = await stageFile(this.#path, [...formatCheckedPieces(pieces), ...entries.map(formatChecked)]);
    await staged.commit();
    this.#size = { lines: entries.length, bytes: staged.size, begun: staged.size };
  }
}
