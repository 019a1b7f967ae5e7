/**
 * Fencing for lock files. A process can lose its lock without noticing, for example while it is suspended. Fencing prevents it from writing
 * afterwards. Each lock owner has a directory next to the lock, `<lock>.<id>`. The owner writes files in this directory and then renames
 * them into place. A process that breaks the lock first moves this directory away, so nothing can be renamed out of it. Checking the lock
 * before each write would not be enough, because the owner may be suspended between the check and the write.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '@sluice/base';
import { syncFolder, writeAtomically, writeSynced } from './atomic-write.ts';
import { codeOf, statOrNull } from './file-facts.ts';

/** Error codes returned by file systems that do not support hard links. */
const noLinks: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** The fence directory of one lock owner. */
export class Fence {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates a fence for the lock file at `path`. Must be called before the lock is acquired. */
  static async make(path: string): Promise<Fence> {
    const folder = `${path}.${randomUUID()}`;
    await mkdir(folder, { mode: 0o700 });
    return new Fence(folder);
  }

  /** Moves away the fence of the process that owns the lock file. */
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

  /** Creates the lock file, which contains the path of the fence. Returns `null` if the lock file already exists. */
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

  /** Writes a file, or removes it if `value` is `null`. Returns false if the fence was moved away. */
  async write(path: string, value: Buffer | string | null): Promise<boolean> {
    const inside = join(this.#folder, randomUUID());
    try {
      await (value === null ? rename(path, inside) : this.#set(path, value, inside));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      // For a removal, ENOENT means that there is no file to remove.
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
      // The target is on a different file system, for example because of a symbolic link.
      if (codeOf(error) !== 'EXDEV') throw error;
      await rm(inside);
      await writeAtomically(path, value);
    }
  }

  async #stands(): Promise<boolean> {
    return (await statOrNull(this.#folder)) !== null;
  }

  /** Removes the fence directory. Never rejects. */
  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined);
  }

  /**
   * Fallback for file systems on which the lock file can't be created together with its content. An owner that is suspended between these
   * two steps is not fenced.
   */
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

/** Returns the fence directory that a lock file contains. Returns `null` for empty lock files and for those created by Caddy. */
async function folderIn(path: string): Promise<string | null> {
  try {
    const { fence } = JSON.parse(await readFile(path, 'utf8')) as { readonly fence?: unknown };
    const isSibling = typeof fence === 'string' && fence.startsWith(`${basename(path)}.`) && basename(fence) === fence;
    return isSibling ? join(dirname(path), fence) : null;
  } catch {
    return null;
  }
}
