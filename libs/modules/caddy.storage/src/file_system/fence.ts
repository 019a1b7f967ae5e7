/**
 * What keeps a holder from writing that has lost its lock without knowing, as after it was stopped for long. Each holder has
 * a folder of its own beside the lock, `<lock>.<id>`, in which it writes its files before it moves them to their places. Who
 * breaks the lock moves that folder away first: then nothing can be moved out of it any more. A look at the lock before the
 * write would leave a moment between the two in which the holder may be stopped.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '@sluice/base';
import { syncFolder, writeAtomically, writeSynced } from './atomic-write.ts';
import { codeOf, statOrNull } from './file-facts.ts';

/** File systems without links between files. */
const noLinks: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** The folder of one holder. */
export class Fence {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes one for the lock file `path`, which is not taken yet. */
  static async make(path: string): Promise<Fence> {
    const folder = `${path}.${randomUUID()}`;
    await mkdir(folder, { mode: 0o700 });
    return new Fence(folder);
  }

  /** Moves away that of the holder of the lock file `path`. */
  static async breakThat(path: string): Promise<void> {
    const folder = await folderIn(path);
    if (folder === null) return;
    const aside = `${path}.${randomUUID()}`;
    try {
      await rename(folder, aside);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw error;
    }
    await rm(aside, { recursive: true, force: true });
  }

  /** Makes the lock file, which names this fence; `null` if there is one already. */
  async claim(path: string): Promise<FileHandle | null> {
    const draft = join(this.#folder, 'lock');
    const file = await open(draft, 'wx', 0o600);
    try {
      const facts = { pid: process.pid, created: new Date().toISOString(), fence: basename(this.#folder) };
      await file.writeFile(`${JSON.stringify(facts)}\n`);
      await link(draft, path);
      return file;
    } catch (error) {
      await file.close();
      if (codeOf(error) === 'EEXIST') return null;
      if (noLinks.has(codeOf(error))) return this.#copyTo(path, draft);
      throw error;
    }
  }

  /** Sets a file, or removes it for `null`; whether it was done, which it is not once the fence is moved away. */
  async write(path: string, value: Buffer | string | null): Promise<boolean> {
    const inside = join(this.#folder, randomUUID());
    try {
      await (value === null ? rename(path, inside) : this.#set(path, value, inside));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      // Or there is no file to be removed.
      if (value !== null && (await this.#stands())) throw error;
      return this.#stands();
    }
    if (value === null) await rm(inside, { recursive: true, force: true });
    return true;
  }

  async #set(path: string, value: Buffer | string, inside: string): Promise<void> {
    const folder = dirname(path);
    await writeSynced(inside, value);
    await makeDirectory(folder);
    try {
      await rename(inside, path);
      await syncFolder(folder);
    } catch (error) {
      // The place is on another disk, as by a link.
      if (codeOf(error) !== 'EXDEV') throw error;
      await rm(inside);
      await writeAtomically(path, value);
    }
  }

  async #stands(): Promise<boolean> {
    return (await statOrNull(this.#folder)) !== null;
  }

  /** The holder is done. Never rejects. */
  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined);
  }

  /** Where the lock cannot appear with its content: then a holder that is stopped in between is not fenced in. */
  async #copyTo(path: string, draft: string): Promise<FileHandle | null> {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.writeFile(await readFile(draft));
      return file;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return null;
      throw error;
    }
  }
}

/** The folder that a lock file names; `null` for one of the reference, or of nothing. */
async function folderIn(path: string): Promise<string | null> {
  try {
    const { fence } = JSON.parse(await readFile(path, 'utf8')) as { readonly fence?: unknown };
    const isBeside = typeof fence === 'string' && fence.startsWith(`${basename(path)}.`) && basename(fence) === fence;
    return isBeside ? join(dirname(path), fence) : null;
  } catch {
    return null;
  }
}
