/**
 * Keeps the history beside the saved configuration, in `history.journal`. Changes are appended some time after they were
 * made, those of a moment together and without waiting for the disk; when the file has outgrown what the history
 * keeps, it is written again as a whole. No change waits for it. Documents hold secrets: the file is its owner's alone.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { guarded, makeDirectory, taskOf, type Json, type Logger } from '@sluice/base';
import type { History, HistoryEntry, HistoryStore, Past } from '@sluice/reconciler';
import { formatChecked, formatCheckedPieces } from './checked-line.ts';
import { fileMode, stageFile } from './durable-file.ts';
import { jsonChunks } from './json-chunks.ts';
import { readPast, type FoundPast, type HistorySize } from './past.ts';

/** Name of the file in the configuration folder. */
export const historyName = 'history.journal';

/** How long changes wait for others before they are written, in milliseconds. */
const patience = 200;
/** A file with so many lines is written again as a whole: that costs what the document weighs, and is to be rare. */
const mostLines = 2000;
/** Likewise one that has grown by so many bytes, and to twice its size. */
const mostGrowth = 4 * 1024 * 1024;

/** The history in a folder. */
export class HistoryFile implements HistoryStore {
  readonly past: Past | null;
  /** Whether all of the file could be read, so that `past` ends with what was in force last. */
  readonly isWhole: boolean;
  readonly #folder: string;
  readonly #path: string;
  readonly #log: Logger;
  /** What was recorded last; `null` while nothing was. */
  #latest: { readonly revision: number; readonly document: Json; readonly history: History } | null = null;
  /** The document that the history leads to, also one that is not to be written. */
  #current: Json = null;
  #waiting: HistoryEntry[] = [];
  /** Changes up to this revision are not written. */
  #hidden = 0;
  #isInterrupted = false;
  #file: FileHandle | null = null;
  /** Of the file; `null` where it has to be written as a whole. */
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

  /** Reads what is in the folder. */
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
      // The change itself tells of the document before it.
      this.#hidden = entry.revision;
      this.#size = null;
    } else this.#waiting.push(entry);
    this.#timer ??= setTimeout(
      guarded(taskOf('admin'), () => this.#wake()),
      patience,
    ).unref();
  }

  interrupt(document: Json): void {
    this.#current = document;
    this.#isInterrupted = true;
  }

  /** Writes what waits. */
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
    return lines + this.#waiting.length > mostLines || bytes > Math.max(2 * begun, begun + mostGrowth);
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

  /** Writes what the history keeps to a new file: the document before, and the changes since. */
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
