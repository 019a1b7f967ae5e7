/** Functions for file metadata and error codes. */
import { stat } from 'node:fs/promises';

/** Returns the inode and modification time of a path, or `null` if the path does not exist. */
export async function statOrNull(path: string): Promise<{ readonly ino: bigint; readonly mtimeMs: number } | null> {
  try {
    const { ino, mtimeMs } = await stat(path, { bigint: true });
    return { ino, mtimeMs: Number(mtimeMs) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Returns an error's system error code, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
