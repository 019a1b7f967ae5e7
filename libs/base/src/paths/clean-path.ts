import { escapePath, unescapePathOrNull } from '../text/percent.ts';

/** Matches `//` and the segments `.` and `..`. */
const unclean = /\/(?:\/|\.{1,2}(?:\/|$))/;

/**
 * Returns the shortest equivalent path: no `.`, no empty segments, `..` resolved where possible, no trailing slash.
 * Equivalent to Go's `path.Clean`; the empty path becomes `.`.
 */
export function cleanPath(path: string): string {
  const rooted = path.startsWith('/');
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (!rooted) segments.push('..');
  }
  const cleaned = segments.join('/');
  return rooted ? `/${cleaned}` : cleaned || '.';
}

/**
 * Cleans a decoded request path, as Caddy does before matching. Unlike {@link cleanPath}, treats the path as absolute and keeps a trailing
 * slash.
 *
 * If `mergeSlashes` is false, empty segments are kept: `/a/./b/..//c/` → `/a//c/` instead of `/a/c/`.
 */
export function cleanRequestPath(path: string, mergeSlashes = true): string {
  if (path.startsWith('/') && !unclean.test(path)) return path;
  const names = (path.startsWith('/') ? path.slice(1) : path).split('/');
  const last = names.at(-1);
  if (last === '') names.pop();
  const segments: string[] = [];
  for (const name of names) {
    if (name === '..') segments.pop();
    else if (name !== '.' && (name !== '' || !mergeSlashes)) segments.push(name);
  }
  const trailing = last === '' && segments.length > 0 ? '/' : '';
  return `/${segments.join('/')}${trailing}`;
}

/** Matches a `.` or `..` segment. */
const dotSegment = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * Removes dot segments from an escaped path, including those hidden by `%2e` or `%2f`.
 *
 * A path without dot segments is returned unchanged. Otherwise the decoded path is cleaned and escaped again. Repeated
 * slashes are kept.
 *
 * `/..%2fb` → `/b`, `/a%20b/%2e/c` → `/a%20b/c`, `/a%2fb` → `/a%2fb`.
 */
export function withoutDotSegments(rawPath: string): string {
  if (!rawPath.includes('.') && !rawPath.includes('%')) return rawPath;
  const path = unescapePathOrNull(rawPath) ?? rawPath;
  return dotSegment.test(path) ? escapePath(cleanRequestPath(path, false)) : rawPath;
}

/** Returns the extension of the last segment, including the dot: `/a/b.tar.gz` → `.gz`. Empty if there is none (Go's `path.Ext`). */
export function pathExtension(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(dot) : '';
}
