/**
 * Log position of the saved configuration, stored in `fleet.json` next to it. While the store is unavailable, a member starts from both
 * files. Each file is always complete, but after a crash, one may be older than the other.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, makeDirectory, own, type Json, type Logger, stageFile } from '@sluice/base';
import { hashNode } from '@sluice/reconciler';
import { decodeHead, encodeHead, type Head, type Snapshot } from '@sluice/fleet';

/** Content of `fleet.json`. */
export interface SavedPlace {
  /** Last known log head of the store. */
  readonly head: Head;
  /** True if the position belongs to exactly the saved document. */
  readonly isOfDocument: boolean;
}

export class SavedHead {
  readonly #path: string;
  readonly #folder: string;
  readonly #cluster: string;
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string, cluster: string) {
    this.#folder = folder;
    this.#path = join(folder, 'fleet.json');
    this.#cluster = cluster;
  }

  /** Returns the log position of a saved document of this fleet. Returns `null` if the document belongs to another fleet. */
  async read(document: Json, log: Logger): Promise<SavedPlace | null> {
    try {
      const saved = JSON.parse(await readFile(this.#path, 'utf8')) as Json;
      if (!isObject(saved) || own(saved, 'cluster') !== this.#cluster) return null;
      const head = decodeHead(String(own(saved, 'head')));
      return { head, isOfDocument: own(saved, 'document') === hashNode(document) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.warn('failed to read fleet.json', { error });
      return null;
    }
  }

  /** Deletes the file after pending writes have completed. */
  async remove(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await rm(this.#path, { force: true });
  }

  /** Writes the log position of a document. Resolves when the position is durable. */
  write({ head, document }: Snapshot): Promise<void> {
    const text = JSON.stringify({ cluster: this.#cluster, document: hashNode(document), head: encodeHead(head) });
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(async () => {
        await makeDirectory(this.#folder);
        await (await stageFile(this.#path, [`${text}\n`])).commit();
      });
    return this.#writing;
  }
}
