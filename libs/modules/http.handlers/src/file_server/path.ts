/** Paths of files and of requests, taken apart and put together. */
import { sep } from 'node:path';

/** The file `name` in the folder `folder`; `name` may have several parts. */
export function joinFile(folder: string, name: string): string {
  const relative = sep === '/' ? name : name.replaceAll('/', sep);
  return folder.endsWith(sep) ? folder + relative : folder + sep + relative;
}

/** The last name in a path, without regard to slashes at its end: `/a/b/` -> `b`; `/` for the root itself. */
export function lastName(path: string): string {
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === 0x2f) end--;
  if (end === 0) return path === '' ? '.' : '/';
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}
