/** From the path of a request to a file under a root folder. */
import { normalize, sep } from 'node:path';
import { encodeBytes } from '../text/bytes.ts';
import { cleanRequestPath } from './clean-path.ts';

const windows = sep === '\\';

const windowsMeaning = /[\\:]|(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:[./ ]|$)|[. ](?:\/|$)/i;

/** True for a path in which Windows sees more than names and `/`: `\`, drives, streams, devices, a dot or space at the end of a name. */
export function hasWindowsMeaning(path: string): boolean {
  return windowsMeaning.test(path);
}

/**
 * The file that the decoded path of a request names under `root`, without trailing slash. It is lexically inside the
 * root whatever the path says; symbolic links are not looked at. An empty root is the working directory. `null` for what
 * no file can be called: text with NUL, and on Windows what {@link hasWindowsMeaning} finds.
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

/** Like {@link joinRoot}, and a trailing slash of the path stays: for programs that tell a folder by it. The root itself has none. */
export function joinRootWithSlash(root: string, path: string): string | null {
  const file = joinRoot(root, path);
  return file !== null && path.endsWith('/') && cleanRequestPath(path) !== '/' ? file + sep : file;
}

/** The last root that was cleaned; requests tend to have the same one again and again. */
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

/** A file name for `node:fs`: a string, or bytes where the name is not valid UTF-8 (see text/bytes.ts). */
export function fileName(path: string): string | Buffer {
  return path.isWellFormed() ? path : encodeBytes(path);
}
