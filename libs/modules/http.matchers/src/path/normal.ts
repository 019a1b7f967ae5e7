/** Normal form of paths for matching: decoded, cleaned, lower case. */
import { cleanRequestPath, lowerCase } from '@sluice/base';

/** Cache of the last path. All routes of a list use the same path. */
let lastPath = '';
let lastNormal = '';

/** Returns the normal form of a decoded path. A path already in normal form is returned unchanged. */
export function normalPath(path: string): string {
  if (path !== lastPath) {
    lastNormal = normalize(path, true);
    lastPath = path;
  }
  return lastNormal;
}

/** Like {@link normalPath}, but keeps repeated slashes, for patterns that contain repeated slashes. */
export function normalPathWithEmptySegments(path: string): string {
  return normalize(path, false);
}

/** Matches anything not in normal form: capitals, possible capitals, and possible dot or empty segments. */
const special = /[A-Z\x80-\uffff]|\/[./]/;

function normalize(path: string, mergeSlashes: boolean): string {
  return special.test(path) ? lowerCase(/\/[./]/.test(path) ? cleanRequestPath(path, mergeSlashes) : path) : path;
}
