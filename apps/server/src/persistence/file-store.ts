/**
 * Saves the configuration in a directory. `autosave.json` is a complete JSON document. If the document is large or changes frequently,
 * changes are appended to `autosave.journal` instead. The cost of saving then depends only on the size of the change. Changes that arrive
 * during a write are combined in the next write. The journal is compacted when it has grown, after an idle period, and at shutdown.
 */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { diff, type ConfigStore } from '@sluice/reconciler';
import {
  makeDirectory,
  taskOf,
  unawaited,
  type Json,
  type Logger,
  removeStale,
  stageFile,
  type StagedFile,
} from '@sluice/base';
import type { HistoryFile } from './history-file.ts';
import { Journal } from './journal.ts';
import { formatLine } from './journal-line.ts';
import { jsonChunks } from './json-chunks.ts';
import { journalName, readSaved, snapshotHash, snapshotName, type Saved } from './resume.ts';

const task = taskOf('admin');

/** Options of the file store. Sizes are in bytes, and times in milliseconds. */
export interface FileStoreOptions {
  readonly folder: string;
  readonly log: Logger;
  /** History file, which is closed together with the store. Default: none. */
  readonly history?: HistoryFile | null;
  /**
   * Maximum size of a snapshot that is rewritten on each change. If changes are more frequent than `pace`, the journal is used. Default: 4
   * KiB.
   */
  readonly smallSnapshot?: number;
  /** Minimum interval between two snapshots. Default: 100 ms. */
  readonly pace?: number;
  /** Maximum size of the journal. If the snapshot is larger than this value, the snapshot's size is the limit. Default: 1 MiB. */
  readonly largeJournal?: number;
  /** Idle time before the journal is compacted. Default: 5 s, but at most 200 ms for small snapshots. */
  readonly idle?: number;
}

/** Maximum time before the journal of a small snapshot is compacted, in milliseconds. */
const shortIdle = 200;

interface Waiting {
  readonly document: Json;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A snapshot that was written but not moved into place yet. */
interface Staged {
  readonly file: StagedFile;
  readonly hash: string;
  readonly document: Json;
  /** Number of journal changes that the snapshot includes. */
  readonly changes: number;
}

/** Configuration store in a directory. */
export class FileStore implements ConfigStore {
  readonly history: HistoryFile | null;
  readonly #snapshotPath: string;
  readonly #journalPath: string;
  readonly #options: Required<FileStoreOptions>;
  #waiting: Waiting[] = [];
  #writing: Promise<void> = Promise.resolve();
  #busy = false;
  /** Document that would be loaded after a restart. `undefined` until this store has written a document. */
  #saved: Json | undefined = undefined;
  #snapshotSize = 0;
  #snapshotHash = '';
  /** Time of the last write, as measured by `performance.now()`. */
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

  /** Reads the saved configuration. Returns `null` if there is none. See {@link readSaved} for errors. */
  resume(): Promise<Saved | null> {
    return readSaved(this.#snapshotPath, this.#journalPath);
  }

  /** Renames a corrupted configuration and its journal, so that they are not overwritten. Returns the new names. */
  async setAside(): Promise<string[]> {
    const suffix = `.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    const moved: string[] = [];
    for (const path of [this.#snapshotPath, this.#journalPath]) {
      try {
        await rename(path, path + suffix);
        moved.push(path + suffix);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          this.#options.log.warn('failed to rename corrupt configuration file', { file: path, error });
      }
    }
    return moved;
  }

  /** Saves a document. Skips empty configurations, so that the last non-empty one is kept. */
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

  /** Writes all pending changes. Never overlaps with the final step of compaction. */
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
      // Write the next document completely, because the content on disk is uncertain after a failure.
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

  /** Writes a snapshot of the latest document next to the current snapshot. */
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
   * Moves a snapshot into place. A journal line announces the snapshot first, so that the journal always matches the snapshot on disk.
   * Afterward, the journal contains only later changes.
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

  /** Merges the journal into a new snapshot. Changes can be saved in the meantime; only the final step is exclusive. */
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
