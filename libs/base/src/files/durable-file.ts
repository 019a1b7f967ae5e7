/** Writes files durably: the content survives a crash of the process or the machine. */
import { constants } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** File permissions of new files. Configurations contain secrets, so only the owner may read them. */
export const fileMode = 0o600;

/** New file content that is on disk under a temporary name. */
export interface StagedFile {
  /** Size in bytes. */
  readonly size: number;
  /** Replaces the target file atomically. Readers see either the old or the new content. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

let staged = 0;

/** Writes new content to a temporary file in the same directory as the target. */
export async function stageFile(path: string, pieces: Iterable<string>): Promise<StagedFile> {
  const temporary = `${path}.${process.pid}.${++staged}.tmp`;
  const discard = (): Promise<void> => rm(temporary, { force: true });
  let size = 0;
  try {
    const file = await open(temporary, 'w', fileMode);
    try {
      for (const piece of pieces) {
        await file.appendFile(piece);
        size += Buffer.byteLength(piece);
      }
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await discard();
    throw error;
  }
  const commit = async (): Promise<void> => {
    try {
      await rename(temporary, path);
    } catch (error) {
      await discard();
      throw error;
    }
    await syncFolder(dirname(path));
  };
  return { size, commit, discard };
}

/** Deletes temporary files left behind by processes that exited during {@link stageFile}. */
export async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(/\.(\d+)\.\d+\.tmp$/.exec(name)?.[1] ?? 0);
    if (pid > 0 && pid !== process.pid && !isAlive(pid)) await rm(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Flushes directory entries to disk. Windows has no equivalent system call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
