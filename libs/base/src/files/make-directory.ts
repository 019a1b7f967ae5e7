/** Creates directories. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory and its missing parents. An existing directory is left as it is.
 *
 * Used instead of `mkdir` with `recursive`, which never settles if the system reports `ENOENT` although the parent exists, as it
 * does below `/proc` (seen with Node 26.10).
 *
 * @param mode permissions of the directories that are created
 */
export async function makeDirectory(path: string, mode = 0o700): Promise<void> {
  if (await isCreated(path, mode, true)) return;
  await makeDirectory(dirname(path), mode);
  await isCreated(path, mode, false);
}

/** Whether the directory exists afterwards; `false` if its parent is missing and `mayLackParent`. */
async function isCreated(path: string, mode: number, mayLackParent: boolean): Promise<boolean> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && mayLackParent && dirname(path) !== path) return false;
    // Some systems report EISDIR or EROFS for a directory that exists.
    const found = await stat(path).catch(() => null);
    if (found === null || !found.isDirectory()) throw error;
  }
  return true;
}
