/** What the file system says of files. */
import { stat } from 'node:fs/promises';

/** Which file is at a path, and when it was touched; `null` where there is none. */
export async function statOrNull(path: string): Promise<{ readonly ino: bigint; readonly mtimeMs: number } | null> {
  try {
    const { ino, mtimeMs } = await stat(path, { bigint: true });
    return { ino, mtimeMs: Number(mtimeMs) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The platform's name of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
