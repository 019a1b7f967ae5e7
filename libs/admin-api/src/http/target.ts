/** Parses the target of an HTTP request before routing (RFC 9112 §3.2). */
import { cleanRequestPath } from '@sluice/base';

export interface Target {
  /** Percent-encoded path, starting with `/`. */
  readonly path: string;
  /** Query string including the leading `?`, or an empty string. */
  readonly query: string;
  /** Host in an absolute-form request target, which overrides the `Host` header. `null` if the target contains no host. */
  readonly host: string | null;
}

/** Parses a request target. Returns `null` for targets that the API cannot serve: `*`, and targets with an invalid percent-encoding. */
export function parseTarget(url: string): Target | null {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(url);
  const rest = absolute?.[2] ?? url;
  const mark = rest.indexOf('?');
  const raw = mark < 0 ? rest : rest.slice(0, mark);
  const path = absolute !== null && raw === '' ? '/' : escapeRaw(raw);
  if (!path.startsWith('/') || /%(?![\da-f]{2})/i.test(path)) return null;
  const authority = absolute?.[1];
  return {
    path: decodeFirstSegment(path),
    query: mark < 0 ? '' : rest.slice(mark),
    host: authority === undefined ? null : authority.slice(authority.lastIndexOf('@') + 1),
  };
}

/** Percent-encodes characters that are invalid in a path or that other software may interpret differently, such as `#`. */
function escapeRaw(path: string): string {
  return path.replaceAll(/[^!$-~]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/**
 * Decodes unreserved characters in the first path segment. For example, `/%63onfig/` means `/config/`. Encoded separators and dots stay
 * encoded.
 */
function decodeFirstSegment(path: string): string {
  const end = path.indexOf('/', 1) < 0 ? path.length : path.indexOf('/', 1);
  if (!path.slice(0, end).includes('%')) return path;
  const first = path
    .slice(0, end)
    .replaceAll(/%(?:[46][1-9a-f]|[57][\da]|5f|2d)/gi, (escape) => decodeURIComponent(escape));
  return first + path.slice(end);
}

/**
 * Returns the canonical path: `.` and `//` are resolved, and a required trailing slash is added. `trees` lists the paths that require a
 * trailing slash; the list omits the slash.
 */
export function canonicalPath(path: string, trees: ReadonlySet<string>): string {
  const cleaned = cleanRequestPath(path);
  return trees.has(cleaned) ? `${cleaned}/` : cleaned;
}
