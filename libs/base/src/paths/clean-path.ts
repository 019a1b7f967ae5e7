import { escapePath, unescapePathOrNull } from '../text/percent.ts';

/** Matches an empty segment (`//`) or a segment `.` or `..`. */
const unclean = /\/(?:\/|\.{1,2}(?:\/|$))/;

/**
 * Returns the shortest equivalent path: without `.`, empty segments, or a trailing slash, and with `..` resolved where possible. Equivalent
 * to Go's `path.Clean`; the empty path becomes `.`.
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
 * Normalizes a decoded request path, as Caddy does before matching. Unlike {@link cleanPath}, treats the path as absolute and keeps a
 * trailing slash.
 *
 * If `mergeSlashes` is false, keeps empty segments. For example, `/a/./b/..//c/` becomes `/a//c/` instead of `/a/c/`.
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

/** Matches a path segment `.` or `..`. */
const dotSegment = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * Removes dot segments from a percent-encoded path, including dot segments encoded with `%2e` or `%2f`.
 *
 * Returns a path without dot segments unchanged. Otherwise, the path is decoded, normalized, and encoded again. Repeated slashes are kept.
 *
 * Examples: `/..%2fb` → `/b`, `/a%20b/%2e/c` → `/a%20b/c`, `/a%2fb` → `/a%2fb`.
 */
export function withoutDotSegments(rawPath: string): string {
  if (!rawPath.includes('.') && !rawPath.includes('%')) return rawPath;
  const path = unescapePathOrNull(rawPath) ?? rawPath;
  return dotSegment.test(path) ? escapePath(cleanRequestPath(path, false)) : rawPath;
}

/**
 * Returns the extension of the last path segment, including the dot: `/a/b.tar.gz` yields `.gz`. Returns an empty string if there is none.
 * Equivalent to Go's `path.Ext`.
 */
export function pathExtension(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(dot) : '';
}
