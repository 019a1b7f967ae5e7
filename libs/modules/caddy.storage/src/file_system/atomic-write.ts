/** Writes a file such that a crash at any moment leaves the old content or the new one. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '@sluice/base';

/** Files being written look like this; what a crash leaves of them is not a value. */
export const temporaryName = /^\..*\.tmp$/;

/** Makes missing folders (0700), writes a file beside the old one (0600), and puts it in its place once it is on disk. */
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

/** Writes a new file (0600) that is on disk when it resolves. */
export async function writeSynced(path: string, content: Buffer | string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The rename itself is to survive a crash; Windows has no such thing and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
