/**
 * Replaces whole files and directories. Other requests get either the old or the new version. Replacing a directory takes two renames. If
 * the process is killed between them, the old directory remains under a temporary name.
 */
import { randomUUID } from 'node:crypto';
import { lstat, realpath, rename } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileName, decodeBytes } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import { reservedPrefix } from './resource.ts';
import { removeTree, type Walk } from './tree.ts';

/** Returns a path for a temporary file in the same directory as another file. */
export function temporaryNextTo(path: string): string {
  return join(dirname(path), `${reservedPrefix}${randomUUID()}.tmp`);
}

/**
 * Moves a file or directory, replacing the destination. Fails with `EXDEV` if the destination is on another file system. A file atomically
 * replaces another file. In other cases, the old resource is renamed first, and restored if the move fails.
 */
export async function moveTo(from: string, to: string, isFile: boolean, walk: Walk): Promise<void> {
  const old = await kindOf(to);
  if (old === 'none' || (old === 'file' && isFile)) {
    await rename(fileName(from), fileName(to));
    return;
  }
  const aside = temporaryNextTo(to);
  await rename(fileName(to), fileName(aside));
  try {
    await rename(fileName(from), fileName(to));
  } catch (error) {
    await rename(fileName(aside), fileName(to));
    throw error;
  }
  await removeTree(aside, { ...walk, hides: () => false });
}

async function kindOf(path: string): Promise<'none' | 'file' | 'directory'> {
  try {
    return (await lstat(fileName(path))).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw error;
  }
}

/** Returns the path with symlinks resolved. The path must exist. */
export async function realPathOf(path: string): Promise<string> {
  return decodeBytes(await realpath(fileName(path), { encoding: 'buffer' }));
}

/**
 * Throws an error with status 403 if the two resources are identical or one contains the other, including through symlinks (RFC 4918 §9.8.5
 * and §9.9.4). The parent of the destination must exist.
 */
export async function expectSeparate(from: string, to: string, destinationExists: boolean): Promise<void> {
  const source = await realPathOf(from);
  const parent = await realPathOf(dirname(to));
  const destination = destinationExists ? await realPathOf(to) : join(parent, to.slice(dirname(to).length));
  if (
    source === destination ||
    isWithin(destination, source) ||
    isWithin(source, destination) ||
    isWithin(parent, source)
  )
    throw new HttpError(403, 'the source and the destination are the same, or one contains the other');
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
