/** Lexical cleaning of slash-separated paths. */
import { escapePath, unescapePathOrNull } from '../text/percent.ts';

/** Something to clean: `//`, or a segment `.` or `..`. */
const unclean = /\/(?:\/|\.{1,2}(?:\/|$))/;

/**
 * The shortest path that means the same: no `.`, no empty segments, `..` resolved as far as it goes, no trailing slash.
 * The result of Go's `path.Clean`; `.` for the empty path.
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
 * Cleans the decoded path of a request, as the reference does before it matches: like {@link cleanPath}, taken from the
 * root, and a trailing slash stays. With `mergeSlashes` false, empty segments are segments like others.
 *
 * `/a/./b/..//c/` -> `/a/c/`, and without merging `/a//c/`.
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

/** A segment `.` or `..`. */
const dotSegment = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * An escaped path whose decoded form has no dot segments, for who cut or joined it. One that has none is returned as it
 * is; of another, which `%2e` or `%2f` may have hidden, the decoded form is cleaned and escaped again. Slashes in a row
 * stay.
 *
 * `/..%2fb` -> `/b`, `/a%20b/%2e/c` -> `/a%20b/c`, `/a%2fb` -> `/a%2fb`.
 */
export function withoutDotSegments(rawPath: string): string {
  if (!rawPath.includes('.') && !rawPath.includes('%')) return rawPath;
  const path = unescapePathOrNull(rawPath) ?? rawPath;
  return dotSegment.test(path) ? escapePath(cleanRequestPath(path, false)) : rawPath;
}

/** The extension with its dot, of the last segment: `/a/b.tar.gz` -> `.gz`; empty where there is none (Go's `path.Ext`). */
export function pathExtension(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(dot) : '';
}
