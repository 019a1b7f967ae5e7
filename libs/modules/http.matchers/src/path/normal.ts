/** The form in which paths are matched: decoded, cleaned, lower case. */
import { cleanRequestPath, lowerCase } from '@sluice/registry';

/** The path that was asked for last, and its form: the routes of a list ask about the same one in turn. */
let lastPath = '';
let lastNormal = '';

/** The form of a decoded path. A path that is in this form already is returned as it is. */
export function normalPath(path: string): string {
  if (path !== lastPath) {
    lastNormal = normalise(path, true);
    lastPath = path;
  }
  return lastNormal;
}

/** Like {@link normalPath}, but slashes in a row stay: for patterns that have some themselves. */
export function normalPathWithEmptySegments(path: string): string {
  return normalise(path, false);
}

const slash = 0x2f;
const dot = 0x2e;

function normalise(path: string, mergeSlashes: boolean): string {
  let unclean = false;
  let capitals = false;
  for (let i = 0, before = 0; i < path.length; i++) {
    const code = path.charCodeAt(i);
    if (before === slash && (code === dot || code === slash)) unclean = true;
    if ((code >= 0x41 && code <= 0x5a) || code > 0x7f) capitals = true;
    before = code;
  }
  const cleaned = unclean ? cleanRequestPath(path, mergeSlashes) : path;
  return capitals ? lowerCase(cleaned) : cleaned;
}
