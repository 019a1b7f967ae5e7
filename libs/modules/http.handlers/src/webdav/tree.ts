/**
 * Copies and deletes directory trees. If the operation fails for a member, records the failure and continues with the other members (RFC
 * 4918 §9.6.1 and §9.8.3).
 */
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, rmdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileName } from '@sluice/base';
import { ClientGoneError, isClientGoneError } from '@sluice/http-app';
import { fromFileSystem } from '../file_server/file-errors.ts';
import { isReserved, namesIn } from './resource.ts';

/** Maximum number of failures listed in a response. */
const maxFailures = 1000;

export interface Failure {
  readonly path: string;
  readonly status: number;
}

/** Rules and results of a recursive copy or delete operation. */
export interface Walk {
  readonly hides: (path: string) => boolean;
  readonly failures: Failure[];
  /** True if the client has disconnected. */
  readonly isGone: () => boolean;
}

/**
 * Deletes a directory tree. Symlinks are deleted, not followed. Hidden members and the collections that contain them remain. Returns false
 * if a member remains.
 */
export async function removeTree(path: string, walk: Walk): Promise<boolean> {
  try {
    const stats = await lstat(fileName(path));
    if (!stats.isDirectory()) {
      await unlink(fileName(path));
      return true;
    }
    let isEmpty = true;
    for (const name of await namesIn(path)) {
      const member = join(path, name);
      if (!isReserved(name) && walk.hides(member)) isEmpty = fail(walk, member, 403);
      else if (!(await removeTree(member, walk))) isEmpty = false;
    }
    if (isEmpty) await rmdir(fileName(path));
    return isEmpty;
  } catch (error) {
    return fail(walk, path, fromFileSystem(error).status);
  }
}

/**
 * Copies a directory tree to a path that does not exist. Copies a symlink to a file as a file. Fails for a symlink to a directory, so that
 * the copy contains nothing from outside the tree. Skips hidden members.
 */
export async function copyTree(from: string, to: string, walk: Walk): Promise<void> {
  await mkdir(fileName(to));
  for (const name of await namesIn(from)) {
    if (walk.isGone()) throw new ClientGoneError();
    const member = join(from, name);
    if (isReserved(name) || walk.hides(member)) continue;
    try {
      const stats = await lstat(fileName(member));
      if (stats.isDirectory()) await copyTree(member, join(to, name), walk);
      else if ((await stat(fileName(member))).isFile()) await copyContent(member, join(to, name));
      else fail(walk, member, 403);
    } catch (error) {
      if (isClientGoneError(error)) throw error;
      fail(walk, member, fromFileSystem(error).status);
    }
  }
}

/** Copies a file to a path that does not exist. Shares disk blocks if the file system supports it. */
export async function copyContent(from: string, to: string): Promise<void> {
  await copyFile(fileName(from), fileName(to), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
}

/** Reports whether a directory tree contains hidden members. */
export async function hasHidden(path: string, hides: (path: string) => boolean): Promise<boolean> {
  for (const name of await namesIn(path)) {
    const member = join(path, name);
    if (isReserved(name)) continue;
    if (hides(member)) return true;
    if ((await lstat(fileName(member))).isDirectory() && (await hasHidden(member, hides))) return true;
  }
  return false;
}

function fail({ failures }: Walk, path: string, status: number): false {
  if (failures.length < maxFailures) failures.push({ path, status });
  return false;
}
