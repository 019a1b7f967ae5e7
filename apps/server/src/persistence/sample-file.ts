/**
 * Saves recorded requests across restarts in `samples.journal` in the data directory, if `apps.http.samples.persist` is set. The file is
 * rewritten at an interval and at shutdown. A crash therefore loses the records of the last interval.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory, makeDirectory, messageOf, stageFile, type Logger } from '@sluice/base';
import type { KeyedRecord, RequestSamples } from '@sluice/http-observability';
import { formatChecked, readChecked } from './checked-line.ts';

/** File name of the recorded requests in the data directory. */
const samplesName = 'samples.journal';
/** Interval between writes of the file, in milliseconds. */
const writeInterval = 60_000;
/** Maximum file size to read, in bytes. The records in memory can't be larger. */
const maxFileSize = 256 * 1024 * 1024;
/** Approximate length of a written chunk, in characters. */
const pieceLength = 64 * 1024;

export class SampleFile {
  readonly #samples: RequestSamples;
  readonly #folder: string;
  readonly #path: string;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | null = null;
  /** Resolves when the last file access has completed. Accesses run one at a time. */
  #work: Promise<void> = Promise.resolve();
  /** Change count of the recorded requests at the time of the last write. */
  #written = 0;

  constructor(samples: RequestSamples, log: Logger, folder: string = dataDirectory()) {
    this.#samples = samples;
    this.#log = log;
    this.#folder = folder;
    this.#path = join(folder, samplesName);
  }

  /**
   * Enables or disables persistence. Enabling reads the file, and disabling deletes it. Set the limits of the sample first. Resolves when
   * the file access is complete.
   */
  configure(persist: boolean): Promise<void> {
    if (persist === (this.#timer !== null)) return this.#work;
    if (persist) {
      this.#timer = setInterval(() => void this.#enqueue(() => this.#write()), writeInterval).unref();
      return this.#enqueue(() => this.#read());
    }
    this.#stopTimer();
    return this.#enqueue(() => this.#remove());
  }

  /** Writes the recorded requests for the last time. */
  close(): Promise<void> {
    if (this.#timer === null) return this.#work;
    this.#stopTimer();
    return this.#enqueue(() => this.#write());
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    return (this.#work = this.#work.then(task));
  }

  async #read(): Promise<void> {
    try {
      const size = (await stat(this.#path).catch(() => null))?.size ?? 0;
      if (size > maxFileSize) {
        this.#log.warn('ignoring saved requests: file is too large', { file: this.#path, size, max: maxFileSize });
        return;
      }
      const { damaged } = await readChecked<KeyedRecord>(this.#path, 'record', ({ key, record, at }) =>
        this.#samples.add(key, record, Math.min(at, Date.now())),
      );
      if (damaged > 0) this.#log.warn('ignoring corrupted saved requests', { file: this.#path, lines: damaged });
    } catch (error) {
      this.#log.warn('cannot read saved requests', { file: this.#path, error: messageOf(error) });
    }
  }

  async #write(): Promise<void> {
    const { changes } = this.#samples;
    if (changes === this.#written) return;
    try {
      await makeDirectory(this.#folder);
      await (await stageFile(this.#path, piecesOf(this.#samples.keyed()))).commit();
      this.#written = changes;
    } catch (error) {
      this.#log.error('failed to save recorded requests; they will be lost on restart', { file: this.#path, error });
    }
  }

  async #remove(): Promise<void> {
    // Force a write if persistence is enabled again later.
    this.#written = -1;
    try {
      await rm(this.#path, { force: true });
    } catch (error) {
      this.#log.warn('failed to delete saved requests; delete the file manually', {
        file: this.#path,
        error: messageOf(error),
      });
    }
  }
}

/** Yields formatted lines while the file is being written, so that the thread can do other work in between. */
function* piecesOf(records: readonly KeyedRecord[]): IterableIterator<string> {
  let text = '';
  for (const record of records) {
    text += formatChecked(record);
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
