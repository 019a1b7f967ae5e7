/** The form in which paths are matched: decoded, cleaned, lower case. */
import { cleanRequestPath, lowerCase } from '@sluice/base';

/** The path that was asked for last, and its form: the routes of a list ask about the same one in turn. */
let lastPath = '';
let lastNormal = '';

/** The form of a decoded path. A path that is in this form already is returned as it is. */
export function normalPath(path: string): string {
  if (path !== lastPath) {
    lastNormal = normalize(path, true);
    lastPath = path;
  }
  return lastNormal;
}

/** Like {@link normalPath}, but slashes in a row stay: for patterns that have some themselves. */
export function normalPathWithEmptySegments(path: string): string {
  return normalize(path, false);
}

/** What the normal form has not: capitals, letters that may be some, and places that may need cleaning. */
const special = /[A-Z\x80-\uffff]|\/[./]/;

function normalize(path: string, mergeSlashes: boolean): string {
  return special.test(path) ? lowerCase(/\/[./]/.test(path) ? cleanRequestPath(path, mergeSlashes) : path) : path;
}
