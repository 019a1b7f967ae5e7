/** Maps a request path to the file or directory to serve. Has no side effects. */
import { HttpError, isFolder, isPlainFile, type FileFacts, type PrecompressedFiles } from '@sluice/http-app';
import { fromFileSystem } from './file-errors.ts';
import type { Hidden } from './hide.ts';
import type { Lookup } from './lookup.ts';
import { joinFile } from './path.ts';

/** A file or directory that was found at a path. */
export interface Located {
  readonly path: string;
  readonly facts: FileFacts;
  /** True if the file is the index file of a directory. */
  readonly index: boolean;
}

/**
 * Finds the file at a path. For a directory, finds its first index file that exists and is not hidden. Returns `null` if there is none.
 * Throws an `HttpError` if the file system denies access.
 */
export function locate(lookup: Lookup, path: string, indexNames: readonly string[], hidden: Hidden): Located | null {
  const facts = statOf(lookup, path);
  if (facts === null || !isFolder(facts)) return facts === null ? null : { path, facts, index: false };
  for (const name of indexNames) {
    if (name === '') continue;
    const file = joinFile(path, name);
    if (hidden(file)) continue;
    const found = statIfPossible(lookup, file);
    if (found !== null && !isFolder(found)) return { path: file, facts: found, index: true };
  }
  return { path, facts, index: false };
}

/** Representation of a file to send. */
export interface Representation {
  readonly path: string;
  readonly facts: FileFacts;
  /** Content coding of a precompressed file. `null` for the file itself. */
  readonly coding: string | null;
  /** Entity tag from a sidecar file, or `null` if there is none. */
  etag: string | null;
}

/** Selects the precompressed file that the client prefers. If there is none, selects the original file. */
export function represent(
  lookup: Lookup,
  { path, facts }: Located,
  accepted: readonly PrecompressedFiles[],
  hidden: Hidden,
): Representation {
  for (const { coding, suffix } of accepted) {
    const sidecar = path + suffix;
    if (hidden(sidecar)) continue;
    const found = statIfPossible(lookup, sidecar);
    if (found !== null && isPlainFile(found)) return { path: sidecar, facts: found, coding, etag: null };
  }
  return { path, facts, coding: null, etag: null };
}

/** Adds the entity tag from the sidecar file, if there is one. */
export function withEtag(lookup: Lookup, chosen: Representation, extensions: readonly string[]): Representation {
  if (extensions.length > 0) chosen.etag = readEtag(lookup, chosen.path, extensions);
  return chosen;
}

function readEtag(lookup: Lookup, path: string, extensions: readonly string[]): string | null {
  for (const extension of extensions) {
    const file = path + extension;
    const facts = statOf(lookup, file);
    if (facts === null) continue;
    if (!isPlainFile(facts)) throw new HttpError(500, `the entity tag cannot be read: ${file} is not a file`);
    const etag = textOf(lookup, file, facts);
    if (etag !== '') return etag;
  }
  return null;
}

function textOf(lookup: Lookup, path: string, facts: FileFacts): string {
  try {
    return lookup.text(path, facts).replace(/[\r\n]+$/, '');
  } catch (error) {
    throw passOn(error);
  }
}

function statOf(lookup: Lookup, path: string): FileFacts | null {
  try {
    return lookup.stat(path);
  } catch (error) {
    throw passOn(error);
  }
}

/** Returns the metadata of a file. An inaccessible file counts as missing, because another file can be sent instead. */
function statIfPossible(lookup: Lookup, path: string): FileFacts | null {
  try {
    return lookup.stat(path);
  } catch (error) {
    if (!isFileSystemError(error)) throw error;
    return null;
  }
}

function passOn(error: unknown): unknown {
  return isFileSystemError(error) ? fromFileSystem(error) : error;
}

/** Reports whether an error comes from the file system. {@link Lookup} also throws other exceptions to request a retry. */
function isFileSystemError(error: unknown): boolean {
  return typeof (error as { code?: unknown }).code === 'string';
}
