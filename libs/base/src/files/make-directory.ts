import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory and its missing parent directories. Leaves an existing directory unchanged.
 *
 * Use this function instead of `mkdir` with the `recursive` option. The promise of `mkdir` never settles if the system reports `ENOENT` for
 * an existing parent, such as `/proc`. This was observed with Node 26.10.
 * @param mode permissions of new directories
 */
export async function makeDirectory(path: string, mode = 0o700): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    if (!lacksParent(error, path)) throw error;
    await makeDirectory(dirname(path), mode);
    await makeOne(path, mode);
  }
}

/**
 * Synchronous version of {@link makeDirectory}, for the same reason: if the system reports `ENOENT` for an existing parent, `mkdirSync`
 * with `recursive` never returns.
 */
export function makeDirectorySync(path: string, mode = 0o700): void {
  try {
    makeOneSync(path, mode);
  } catch (error) {
    if (!lacksParent(error, path)) throw error;
    makeDirectorySync(dirname(path), mode);
    makeOneSync(path, mode);
  }
}

function lacksParent(error: unknown, path: string): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(path) !== path;
}

/** Creates one directory. If the directory exists, ignores all errors, because some systems report EISDIR or EROFS instead of EEXIST. */
async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() !== true) throw error;
  }
}

function makeOneSync(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
