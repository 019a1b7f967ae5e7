/** Splits and joins file paths and request paths. */
import { sep } from 'node:path';

/** Joins the directory `folder` and the file name `name`, which may contain several path segments. */
export function joinFile(folder: string, name: string): string {
  const relative = sep === '/' ? name : name.replaceAll('/', sep);
  return folder.endsWith(sep) ? folder + relative : folder + sep + relative;
}

/** Returns the last segment of a path, ignoring trailing slashes: `/a/b/` -> `b`. Returns `/` for the root itself. */
export function lastName(path: string): string {
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === 0x2f) end--;
  if (end === 0) return path === '' ? '.' : '/';
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}
