/** Provides access to files and directories as WebDAV resources. */
import { lstatSync, statSync, type BigIntStats } from 'node:fs';
import { lstat, opendir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeBytes, fileName } from '@sluice/base';
import { entityTag } from '../file_server/file-store.ts';

export const reservedPrefix = '.sluice-webdav-';
/** Age in milliseconds after which a temporary file counts as left over from a killed process. */
const leftoverAge = 24 * 3600 * 1000;
/** Maximum number of concurrent `stat` calls when listing a directory. */
const listBatch = 64;

const exact = { bigint: true } as const;
const ifAny = { bigint: true, throwIfNoEntry: false } as const;

export interface Found {
  readonly isCollection: boolean;
  readonly size: number;
  /** Strong entity tag, the same as in responses to GET. */
  readonly etag: string;
  /** Modification time of the file, in milliseconds since the Unix epoch. */
  readonly modified: number;
  /** Creation time of the file, in milliseconds since the Unix epoch. 0 if the file system does not record creation times. */
  readonly created: number;
  readonly mode: number;
}

export interface Member {
  readonly name: string;
  readonly found: Found;
  readonly isLink: boolean;
}

/**
 * Returns the resource at a path, or `null` if there is none. Follows symlinks. Devices, pipes and sockets are not resources. Synchronous,
 * as in the file server: with a warm kernel cache, the call takes about a microsecond.
 */
export function findResource(path: string): Found | null {
  try {
    const stats = statSync(fileName(path), ifAny);
    return stats === undefined ? null : foundOf(stats);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}

export function isOccupied(path: string): boolean {
  return lstatSync(fileName(path), { throwIfNoEntry: false }) !== undefined;
}

function foundOf(stats: BigIntStats): Found | null {
  const isCollection = stats.isDirectory();
  if (!isCollection && !stats.isFile()) return null;
  const size = Number(stats.size);
  return {
    isCollection,
    size,
    etag: entityTag(stats.mtimeNs, size),
    modified: Number(stats.mtimeMs),
    created: Number(stats.birthtimeMs),
    mode: Number(stats.mode),
  };
}

/** Returns the names in a directory, in no particular order. */
export async function namesIn(path: string): Promise<string[]> {
  const names: string[] = [];
  // Read names as bytes, because they may not be valid UTF-8.
  const folder = await opendir(fileName(path), { encoding: 'buffer' as BufferEncoding, bufferSize: listBatch });
  for await (const entry of folder) names.push(decodeBytes(entry.name as unknown as Buffer));
  return names;
}

/** Reports whether a file name is reserved for temporary files. */
export function isReserved(name: string): boolean {
  return name.startsWith(reservedPrefix);
}

/** Yields the members with these names. Omits temporary files and members that match `hidden`. */
export async function* membersOf(
  path: string,
  names: readonly string[],
  hidden: (path: string) => boolean,
): AsyncGenerator<Member> {
  for (let i = 0; i < names.length; i += listBatch) {
    const batch = names.slice(i, i + listBatch);
    const found = await Promise.all(batch.map((name) => memberOf(path, name, hidden)));
    for (const member of found) if (member !== null) yield member;
  }
}

async function memberOf(folder: string, name: string, hidden: (path: string) => boolean): Promise<Member | null> {
  const path = join(folder, name);
  if (isReserved(name)) {
    await removeLeftover(path);
    return null;
  }
  if (hidden(path)) return null;
  try {
    const stats = await lstat(fileName(path), exact);
    const isLink = stats.isSymbolicLink();
    const found = foundOf(isLink ? await stat(fileName(path), exact) : stats);
    return found === null ? null : { name, found, isLink };
  } catch {
    // The file was removed in the meantime, is inaccessible, or is a dangling symlink.
    return null;
  }
}

/** Removes a temporary file left over from a killed process. */
async function removeLeftover(path: string): Promise<void> {
  try {
    const { ctimeMs } = await lstat(fileName(path));
    if (Date.now() - ctimeMs > leftoverAge) await unlink(fileName(path));
  } catch {
    // Ignore the error: the upload has completed in the meantime, or the path is a directory.
  }
}
