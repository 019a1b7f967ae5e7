/** Finds files that match a path with wildcards. */
import { joinRoot, compileGlob, type GlobMatcher } from '@sluice/base';
import type { FileSystem } from '@sluice/http-app';
import { withoutEscapes } from './candidate.ts';

/** Maximum number of entries read per directory, and maximum number of files found. */
const maxEntries = 10_000;

/**
 * Returns the matching paths in byte order, or an empty list for an invalid pattern. Reads directories only for segments with wildcards.
 * Treats unreadable directories as empty.
 */
export async function expandGlob(files: FileSystem, root: string, pattern: string): Promise<string[]> {
  let found = [''];
  for (const segment of pattern.slice(1).split('/')) {
    const next = /[*?[]/.test(segment)
      ? matching(files, root, found, segment)
      : existing(files, root, found, withoutEscapes(segment));
    found = await next;
  }
  return found;
}

async function existing(files: FileSystem, root: string, folders: readonly string[], name: string): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    const path = `${folder}/${name}`;
    const file = joinRoot(root, path);
    if (file !== null && (await orNull(async () => files.stat(file))) !== null) paths.push(path);
  }
  return paths;
}

async function matching(
  files: FileSystem,
  root: string,
  folders: readonly string[],
  pattern: string,
): Promise<string[]> {
  const matches = compileOrNull(pattern);
  if (matches === null) return [];
  const paths: string[] = [];
  for (const folder of folders) {
    const directory = joinRoot(root, folder);
    const entries = directory === null ? null : await orNull(() => files.list(directory, maxEntries));
    const names = (entries ?? []).map(({ name }) => name).filter(matches);
    for (const name of names.sort()) if (paths.length < maxEntries) paths.push(`${folder}/${name}`);
  }
  return paths;
}

function compileOrNull(pattern: string): GlobMatcher | null {
  try {
    return compileGlob(pattern);
  } catch {
    return null;
  }
}

async function orNull<T>(ask: () => Promise<T | null>): Promise<T | null> {
  try {
    return await ask();
  } catch {
    return null;
  }
}
