/**
 * Where in the log of the fleet the saved configuration is, beside it in `fleet.json`: a member starts from both while the store is away. Each file is
 * whole at every moment; a process that was killed may have written one of them later than the other.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, makeDirectory, own, type Json, type Logger } from '@sluice/base';
import { hashNode } from '@sluice/reconciler';
import { decodeHead, encodeHead, type Head, type Snapshot } from '@sluice/fleet';
import { stageFile } from '../persistence/durable-file.ts';

/** What `fleet.json` says of a saved document. */
export interface SavedPlace {
  /** What the store has had, for sure. */
  readonly head: Head;
  /** Whether it is that of the document, and not of the one shortly before or after. */
  readonly isOfDocument: boolean;
}

/** The file. */
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

  /** The place of a saved document of this fleet; `null` if it is of none. */
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

  /** Removes the file, once what is being written is there. */
  async remove(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await rm(this.#path, { force: true });
  }

  /** Writes where a document is. Resolves when a crash can no longer lose it. */
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
