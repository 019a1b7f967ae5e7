/** Maps request paths to files below a root directory. */
import { normalize, sep } from 'node:path';
import { encodeBytes } from '../text/bytes.ts';
import { cleanRequestPath } from './clean-path.ts';

const windows = sep === '\\';

const windowsMeaning = /[\\:]|(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:[./ ]|$)|[. ](?:\/|$)/i;

/**
 * Reports whether Windows would interpret part of the path specially. Examples are `\`, drive letters, alternate streams, device names, and
 * names that end with a dot or space.
 */
export function hasWindowsMeaning(path: string): boolean {
  return windowsMeaning.test(path);
}

/**
 * Maps a decoded request path to a file path below `root`, without a trailing slash. The result is always lexically inside the root.
 * Symbolic links are not resolved.
 *
 * An empty root means the working directory. Returns `null` for a path that contains NUL. On Windows, also returns `null` if {@link
 * hasWindowsMeaning} returns true.
 */
export function joinRoot(root: string, path: string): string | null {
  if (path.includes('\0') || root.includes('\0')) return null;
  const cleaned = cleanRequestPath(path);
  const inside = cleaned.endsWith('/') ? cleaned.slice(1, -1) : cleaned.slice(1);
  if (windows && hasWindowsMeaning(inside)) return null;
  const folder = cleanRoot(root);
  if (inside === '') return folder;
  const name = windows ? inside.replaceAll('/', sep) : inside;
  if (folder === '.') return name;
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/**
 * Maps a request path to a file path like {@link joinRoot}, but keeps a trailing slash. Some programs recognize directories by this slash.
 * The root itself has no trailing slash.
 */
export function joinRootWithSlash(root: string, path: string): string | null {
  const file = joinRoot(root, path);
  return file !== null && path.endsWith('/') && cleanRequestPath(path) !== '/' ? file + sep : file;
}

/** Caches the most recent cleaned root, because consecutive requests usually have the same root. */
let lastRoot = '';
let lastCleaned = '.';

function cleanRoot(root: string): string {
  if (root === lastRoot) return lastCleaned;
  const normal = normalize(root);
  lastCleaned =
    normal.length > 1 && normal.endsWith(sep) && !/^[A-Za-z]:\\$/.test(normal) ? normal.slice(0, -1) : normal;
  lastRoot = root;
  return lastCleaned;
}

/** Returns a file name for `node:fs`. The result is a string, or bytes if the name is not valid UTF-8 (see text/bytes.ts). */
export function fileName(path: string): string | Buffer {
  return path.isWellFormed() ? path : encodeBytes(path);
}
