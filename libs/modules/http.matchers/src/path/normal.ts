/** Normalizes paths for matching: decoded, cleaned, and in lower case. */
import { cleanRequestPath, lowerCase } from '@sluice/base';

/** Cache of the last path and its normal form, because all routes of a list match the same path. */
let lastPath = '';
let lastNormal = '';

/** Returns the normal form of a decoded path. Returns a path that is already in normal form unchanged. */
export function normalPath(path: string): string {
  if (path !== lastPath) {
    lastNormal = normalize(path, true);
    lastPath = path;
  }
  return lastNormal;
}

/** Normalizes a path like {@link normalPath}, but keeps repeated slashes. Used for patterns that contain repeated slashes. */
export function normalPathWithEmptySegments(path: string): string {
  return normalize(path, false);
}

/** Matches characters that indicate that a path may not be in normal form: capitals, and possible dot or empty segments. */
const special = /[A-Z\x80-\uffff]|\/[./]/;

function normalize(path: string, mergeSlashes: boolean): string {
  return special.test(path) ? lowerCase(/\/[./]/.test(path) ? cleanRequestPath(path, mergeSlashes) : path) : path;
}
