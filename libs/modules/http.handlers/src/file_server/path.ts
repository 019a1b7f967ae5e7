/** Splits and joins file and request paths. */
import { sep } from 'node:path';

/** Returns the file `name` in the directory `folder`; `name` may have several segments. */
export function joinFile(folder: string, name: string): string {
  const relative = sep === '/' ? name : name.replaceAll('/', sep);
  return folder.endsWith(sep) ? folder + relative : folder + sep + relative;
}

/** Returns the last name in a path, ignoring trailing slashes: `/a/b/` -> `b`; `/` for the root itself. */
export function lastName(path: string): string {
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === 0x2f) end--;
  if (end === 0) return path === '' ? '.' : '/';
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}
