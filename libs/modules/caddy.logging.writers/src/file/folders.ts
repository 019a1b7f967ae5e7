/** Creation of log file directories. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '@sluice/base';

/** Permissions for new directories: inherited from the nearest existing directory, derived from the file's mode, or set explicitly. */
export type FolderMode = 'inherit' | 'from_file' | number;

/** Creates the parent directories of a file. */
export async function makeFolder(path: string, mode: FolderMode, fileMode: number | null): Promise<void> {
  const folder = dirname(path);
  await makeDirectory(folder, typeof mode === 'number' ? mode : await derive(folder, mode, fileMode ?? 0o600));
}

async function derive(folder: string, mode: 'inherit' | 'from_file', fileMode: number): Promise<number> {
  // Users who can read the file get permission to enter the directory.
  if (mode === 'from_file') return fileMode | ((fileMode & 0o444) >> 2);
  const found = await stat(folder).catch(() => null);
  return found === null ? derive(dirname(folder), mode, fileMode) : found.mode & 0o777;
}
