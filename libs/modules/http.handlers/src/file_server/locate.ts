/** From the path of a request to the file, or folder, that answers it. */
import { isFolder, type FileFacts } from '@sluice/http-app';
import { fromFileSystem } from './file-errors.ts';
import type { Hidden } from './hide.ts';
import { joinFile } from './path.ts';

/** Gives the facts of files without waiting. Throws as file systems do. */
export interface Lookup {
  stat(path: string): FileFacts | null;
}

/** What a path leads to. */
export interface Located {
  readonly path: string;
  readonly facts: FileFacts;
  /** A file that stands for its folder. */
  readonly index: boolean;
}

/**
 * Finds what is at a path; in a folder the first of the index files that exists and is not hidden. `null` for nothing.
 * Throws an `HttpError` where the file system refuses.
 */
export function locate(lookup: Lookup, path: string, indexNames: readonly string[], hidden: Hidden): Located | null {
  const facts = statOf(lookup, path);
  if (facts === null || !isFolder(facts)) return facts === null ? null : { path, facts, index: false };
  for (const name of indexNames) {
    if (name === '') continue;
    const file = joinFile(path, name);
    if (hidden(file)) continue;
    const found = indexFacts(lookup, file);
    if (found !== null && !isFolder(found)) return { path: file, facts: found, index: true };
  }
  return { path, facts, index: false };
}

function statOf(lookup: Lookup, path: string): FileFacts | null {
  try {
    return lookup.stat(path);
  } catch (error) {
    throw fromFileSystem(error);
  }
}

/** An index file that cannot be looked at is as good as none. */
function indexFacts(lookup: Lookup, path: string): FileFacts | null {
  try {
    return lookup.stat(path);
  } catch {
    return null;
  }
}
