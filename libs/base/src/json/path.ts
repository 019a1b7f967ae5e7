/** Configuration paths in three notations: URL paths of the admin API, JSON Pointers (RFC 6901), and the dotted form in messages. */
import { pathError } from '../errors.ts';

/** Path from the document root, as a list of object keys and array indexes in string form. */
export type ConfigPath = readonly string[];

/** Maximum nesting depth of a path or document. */
export const maxDepth = 200;

/**
 * Splits the part of a request target after `/config` or `/id` into decoded segments.
 *
 * Splits before decoding, so that `%2F` can be part of a key. Drops empty segments.
 */
export function parseUrlPath(text: string): ConfigPath {
  const segments: string[] = [];
  for (const raw of text.split('/')) {
    if (raw === '') continue;
    segments.push(decodeSegment(raw));
  }
  if (segments.length > maxDepth)
    throw pathError(`path with ${segments.length} segments is deeper than the maximum of ${maxDepth}`);
  return segments;
}

function decodeSegment(raw: string): string {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    throw pathError(`path segment ${JSON.stringify(raw)} is not valid percent-encoded UTF-8`);
  }
}

/**
 * Formats a path for {@link parseUrlPath}. For example, `['a b', 'c/d']` becomes `/a%20b/c%2Fd`. Ordinary characters in keys are not
 * encoded.
 */
export function formatUrlPath(path: ConfigPath): string {
  let text = '';
  for (const segment of path) text += `/${formatUrlSegment(segment)}`;
  return text;
}

function formatUrlSegment(segment: string): string {
  if (/^[\w@:-]+$/.test(segment)) return segment;
  if (/^\.+$/.test(segment)) return segment.replaceAll('.', '%2E');
  return encodeURIComponent(segment.toWellFormed()).replaceAll('%40', '@').replaceAll('%3A', ':');
}

/** Parses a JSON Pointer (RFC 6901). For example, `/a~1b/0` yields `['a/b', '0']`. */
export function parsePointer(pointer: string): ConfigPath {
  if (pointer === '') return [];
  if (!pointer.startsWith('/'))
    throw pathError(`JSON Pointer ${JSON.stringify(pointer)} must be empty or begin with "/"`);
  if (/~(?![01])/.test(pointer))
    throw pathError(`JSON Pointer ${JSON.stringify(pointer)}: "~" must be written "~0", and "/" in a key "~1"`);
  const segments = pointer.slice(1).split('/');
  if (segments.length > maxDepth)
    throw pathError(`path with ${segments.length} segments is deeper than the maximum of ${maxDepth}`);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function formatPointer(path: ConfigPath): string {
  let text = '';
  for (const segment of path) text += `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return text;
}

/** Formats a path for messages, as in `apps.http.servers.s.routes[3]`. */
export function formatWhere(path: Iterable<string | number>): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (/^[A-Za-z_@][\w@-]*$/.test(segment)) text += text === '' ? segment : `.${segment}`;
    else if (/^\d+$/.test(segment)) text += `[${segment}]`;
    else text += `[${JSON.stringify(segment)}]`;
  }
  return text;
}

/** Parses the output of {@link formatWhere}. Returns `null` if the text has a different form. */
export function parseWhere(text: string): ConfigPath | null {
  const path: string[] = [];
  const part = /\.?([A-Za-z_@][\w@-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  while (part.lastIndex < text.length) {
    const [, name, index, quoted] = part.exec(text) ?? [];
    if (quoted !== undefined) path.push(JSON.parse(quoted) as string);
    else if (name !== undefined || index !== undefined) path.push(name ?? index ?? '');
    else return null;
  }
  return path;
}

/** Parses an array index strictly: only digits, without a sign or leading zeros. Returns -1 if the segment is not an array index. */
export function parseIndex(segment: string): number {
  if (!/^(?:0|[1-9]\d{0,9})$/.test(segment)) return -1;
  return Number(segment);
}
