/** Normal form of paths for matching: decoded, cleaned, lower case. */
import { cleanRequestPath, lowerCase } from '@sluice/base';

/** The last path and its normal form. All routes of a list see the same path. */
let lastPath = '';
let lastNormal = '';

/** Returns the normal form of a decoded path. A path in normal form is returned unchanged. */
export function normalPath(path: string): string {
  if (path !== lastPath) {
    lastNormal = normalize(path, true);
    lastPath = path;
  }
  return lastNormal;
}

/** Like {@link normalPath}, but keeps repeated slashes, for patterns that contain them. */
export function normalPathWithEmptySegments(path: string): string {
  return normalize(path, false);
}

/** Matches characters that may not be in normal form: capitals, and possible dot or empty segments. */
const special = /[A-Z\x80-\uffff]|\/[./]/;

function normalize(path: string, mergeSlashes: boolean): string {
  return special.test(path) ? lowerCase(/\/[./]/.test(path) ? cleanRequestPath(path, mergeSlashes) : path) : path;
}
