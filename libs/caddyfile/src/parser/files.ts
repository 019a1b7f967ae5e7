/** Files that are imported: one path, or all that a pattern fits. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The files that a path pattern means; `null` if there is no such file, an empty list if a pattern fits none. */
export function findFiles(pattern: string, fromFile: string): string[] | null {
  const path = resolve(dirname(fromFile), pattern);
  if (!/[*?[]/.test(path)) return isFile(path) ? [path] : null;
  return expand(path).filter(isFile).sort();
}

/** Reads a file; a text that does not end with a line break gets one. */
export function readSource(path: string): string {
  return readFileSync(path, 'utf8');
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The paths that a pattern with `*`, `?` and `[…]` fits. */
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
