/** Atomic file writes. After a crash, a file has either the old or the new content. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '@sluice/base';

/** Name pattern of temporary files. Temporary files left behind by a crash are not treated as values. */
export const temporaryName = /^\..*\.tmp$/;

/** Creates missing directories (mode 0700) and writes a temporary file (mode 0600). Renames the file after it is synced to disk. */
export async function writeAtomically(path: string, content: Buffer | string): Promise<void> {
  const folder = dirname(path);
  await makeDirectory(folder);
  const temporary = join(folder, `.${basename(path).slice(0, 100)}.${randomUUID()}.tmp`);
  try {
    await writeSynced(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Writes a new file (mode 0600) and syncs it to disk. */
export async function writeSynced(path: string, content: Buffer | string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs a directory, so that a rename in it reaches the disk. Windows neither supports nor requires this. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
