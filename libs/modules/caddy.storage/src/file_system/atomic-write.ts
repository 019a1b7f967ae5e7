/** Atomic file writes, so that a crash leaves either the old or the new content. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '@sluice/base';

/** Name pattern of temporary files. Leftovers of a crash are not values. */
export const temporaryName = /^\..*\.tmp$/;

/** Creates missing directories (0700), writes a temporary file (0600), and renames the file once it is on disk. */
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

/** Writes a new file (0600) and syncs it to disk. */
export async function writeSynced(path: string, content: Buffer | string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs the rename to disk. Neither possible nor required on Windows. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
