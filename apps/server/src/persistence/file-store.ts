/**
 * Saves the configuration in a folder: `autosave.json` is whole JSON, and while it is large, or changes follow each other
 * fast, they go to `autosave.journal` beside it, so that saving costs the change. Changes that come while one is being
 * written share the next write. The journal is worked into the snapshot when it has grown, when nothing changes for a
 * while, and at the end.
 */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { diff, type ConfigStore } from '@sluice/reconciler';
import { makeDirectory, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import { removeStale, stageFile, type StagedFile } from './durable-file.ts';
import type { HistoryFile } from './history-file.ts';
import { Journal } from './journal.ts';
import { formatLine } from './journal-line.ts';
import { jsonChunks } from './json-chunks.ts';
import { journalName, readSaved, snapshotHash, snapshotName, type Saved } from './resume.ts';

const task = taskOf('admin');

/** How a store works; sizes in bytes, times in milliseconds. */
export interface FileStoreOptions {
  readonly folder: string;
  readonly log: Logger;
  /** Where the history is kept; closed with the store. Default: nowhere. */
  readonly history?: HistoryFile | null;
  /** Snapshots up to this size are simply written again as a whole, unless changes follow each other within `pace`. Default 4 KiB. */
  readonly smallSnapshot?: number;
  /** Default 100 ms. */
  readonly pace?: number;
  /** A journal may grow to this size, or to that of the snapshot if it is larger. Default 1 MiB. */
  readonly largeJournal?: number;
  /** How long nothing must change until the journal is worked in. Default 5 s; small snapshots do not wait longer than 200 ms. */
  readonly idle?: number;
}

/** Longest time that the journal of a small snapshot waits to be worked in. */
const shortIdle = 200;

interface Waiting {
  readonly document: Json;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A snapshot that is written and not yet in place. */
interface Staged {
  readonly file: StagedFile;
  readonly hash: string;
  readonly document: Json;
  /** Which changes of the journal it has. */
  readonly changes: number;
}

/** Saves documents to a folder. */
export class FileStore implements ConfigStore {
  readonly history: HistoryFile | null;
  readonly #snapshotPath: string;
  readonly #journalPath: string;
  readonly #options: Required<FileStoreOptions>;
  #waiting: Waiting[] = [];
  #writing: Promise<void> = Promise.resolve();
  #busy = false;
  /** What a resume would give now; undefined while this store has written nothing. */
  #saved: Json | undefined = undefined;
  #snapshotSize = 0;
  #snapshotHash = '';
  /** When it was written last, in milliseconds of `performance.now()`. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  #journal: Journal | null = null;
  #compacting: Promise<void> | null = null;
  #idleTimer: NodeJS.Timeout | null = null;

  constructor(options: FileStoreOptions) {
    this.#options = {
      smallSnapshot: 4 * 1024,
      pace: 100,
      largeJournal: 1024 * 1024,
      idle: 5_000,
      history: null,
      ...options,
    };
    this.history = this.#options.history;
    this.#snapshotPath = join(options.folder, snapshotName);
    this.#journalPath = join(options.folder, journalName);
  }

  /** Reads what was saved; `null` if there is nothing. See {@link readSaved} for errors. */
  resume(): Promise<Saved | null> {
    return readSaved(this.#snapshotPath, this.#journalPath);
  }

  /** Moves a damaged configuration and its journal to names that no later save uses; returns these. */
  async setAside(): Promise<string[]> {
    const suffix = `.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    const moved: string[] = [];
    for (const path of [this.#snapshotPath, this.#journalPath]) {
      try {
        await rename(path, path + suffix);
        moved.push(path + suffix);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          this.#options.log.warn('failed to set aside a corrupt configuration', { file: path, error });
      }
    }
    return moved;
  }

  /** An empty configuration is not saved: the last one that served stays. */
  save(document: Json): Promise<void> {
    if (document === null) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ document, resolve, reject });
      this.#wake();
    });
  }

  async close(): Promise<void> {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    await this.history?.close();
    await this.#writing;
    await this.#compact();
    await this.#journal?.close();
    this.#journal = null;
  }

  /** Writes all that waits, in turn with compaction's short exclusive part. */
  #wake(): void {
    if (this.#busy) return;
    this.#busy = true;
    this.#writing = this.#writing.then(async () => {
      while (this.#waiting.length > 0) await this.#writeWaiting();
      this.#busy = false;
      this.#planCompaction();
    });
  }

  async #writeWaiting(): Promise<void> {
    const group = this.#waiting;
    this.#waiting = [];
    try {
      await this.#write((group.at(-1) as Waiting).document);
      for (const { resolve } of group) resolve();
    } catch (error) {
      // What is on the disk now is uncertain: the next document is written whole.
      this.#saved = undefined;
      for (const { reject } of group) reject(error);
    }
  }

  async #write(document: Json): Promise<void> {
    if (document === this.#saved) return;
    const now = performance.now();
    const isFast = now < this.#writtenAt + this.#options.pace;
    this.#writtenAt = now;
    if (this.#saved !== undefined && (isFast || !this.#isSmall)) {
      const line = { operations: diff(this.#saved, document) };
      if (formatLine(line).length < this.#snapshotSize / 2) {
        this.#journal ??= await Journal.begin(this.#journalPath, [{ base: this.#snapshotHash }]);
        await this.#journal.append(line);
        this.#saved = document;
        return;
      }
    }
    await this.#place(await this.#stage(document));
  }

  get #isSmall(): boolean {
    return this.#snapshotSize <= this.#options.smallSnapshot;
  }

  /** Writes a snapshot of the newest document beside the one in place. */
  async #stage(document: Json): Promise<Staged> {
    const changes = this.#journal?.changes ?? 0;
    await makeDirectory(this.#options.folder);
    if (this.#saved === undefined) await removeStale(this.#options.folder);
    const hash = snapshotHash();
    const pieces = function* (): IterableIterator<string> {
      for (const piece of jsonChunks(document)) {
        hash.update(piece);
        yield piece;
      }
    };
    const file = await stageFile(this.#snapshotPath, pieces());
    return { file, hash: hash.digest(), document, changes };
  }

  /**
   * Puts a snapshot in place. The journal is told before, so that at every moment one of its lines fits the snapshot that
   * is there; afterwards it keeps only what came since.
   */
  async #place({ file, hash, document, changes }: Staged): Promise<void> {
    const journal = this.#journal;
    if (this.#saved !== undefined) await journal?.append({ snapshot: hash, after: changes });
    await file.commit();
    this.#snapshotSize = file.size;
    this.#snapshotHash = hash;
    this.#journal = null;
    await journal?.close();
    if (journal !== null && journal.changes > changes && this.#saved !== undefined) {
      const since = { operations: diff(document, this.#saved) };
      this.#journal = await Journal.begin(this.#journalPath, [{ base: hash }, since]);
    } else {
      await Journal.remove(this.#journalPath);
      this.#saved = document;
    }
  }

  #planCompaction(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    if (this.#journal === null) return;
    if (this.#journal.size > Math.max(this.#options.largeJournal, this.#snapshotSize)) unawaited(task, this.#compact());
    else {
      const idle = this.#isSmall ? Math.min(shortIdle, this.#options.idle) : this.#options.idle;
      this.#idleTimer = setTimeout(() => unawaited(task, this.#compact()), idle).unref();
    }
  }

  /** Works the journal into the snapshot. Changes are saved meanwhile; only the last step takes its turn with them. */
  #compact(): Promise<void> {
    this.#compacting ??= this.#tryCompact().finally(() => {
      this.#compacting = null;
    });
    return this.#compacting;
  }

  async #tryCompact(): Promise<void> {
    const journal = this.#journal;
    if (journal === null || this.#saved === undefined) return;
    try {
      const staged = await this.#stage(this.#saved);
      this.#writing = this.#writing.then(() => this.#placeCompacted(staged, journal));
      await this.#writing;
    } catch (error) {
      this.#options.log.warn('failed to compact the configuration journal', { error });
    }
  }

  async #placeCompacted(staged: Staged, journal: Journal): Promise<void> {
    try {
      if (this.#journal === journal && this.#saved !== undefined) await this.#place(staged);
      else await staged.file.discard();
    } catch (error) {
      this.#saved = undefined;
      this.#options.log.warn('failed to compact the configuration journal', { error });
    }
  }
}
