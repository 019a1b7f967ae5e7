/** Finds imported files: either a single path, or all matches of a glob pattern. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Returns the files for a path or glob pattern. Returns `null` if the path does not exist, and an empty list if the pattern matches
 * nothing.
 */
export function findFiles(pattern: string, fromFile: string): string[] | null {
  const path = resolve(dirname(fromFile), pattern);
  if (!/[*?[]/.test(path)) return isFile(path) ? [path] : null;
  return expand(path).filter(isFile).sort();
}

export function readSource(path: string): string {
  return readFileSync(path, 'utf8');
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Returns the paths that match a pattern with `*`, `?`, and `[…]`. */
function expand(pattern: string): string[] {
  const folder = dirname(pattern);
  const name = basename(pattern);
  const folders = /[*?[]/.test(folder) ? expand(folder) : [folder];
  if (!/[*?[]/.test(name)) return folders.map((each) => join(each, name));
  const fits = expressionOf(name);
  return folders.flatMap((each) =>
    namesIn(each)
      .filter((entry) => fits.test(entry))
      .map((entry) => join(each, entry)),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function expressionOf(glob: string): RegExp {
  const source = glob
    .replaceAll(/[\\^$.|+(){}]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    return /^(?!)/;
  }
}
