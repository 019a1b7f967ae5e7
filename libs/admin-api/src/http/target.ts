/** Request target, before routing (RFC 9112 §3.2). */
import { cleanRequestPath } from '@sluice/base';

export interface Target {
  /** Escaped path, beginning with `/`. */
  readonly path: string;
  /** Query with its `?`, or empty. */
  readonly query: string;
  /** Host in the target itself, which overrides the Host header; `null` if absent. */
  readonly host: string | null;
}

/** Parses a target; `null` if it can't be served: `*`, or an invalid escape. */
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

/** Escapes characters that are invalid in a path or that other software may interpret differently, such as `#`. */
function escapeRaw(path: string): string {
  return path.replaceAll(/[^!$-~]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/**
 * Decodes plain letters of the first segment: `/%63onfig/` means `/config/`. Escaped separators and dots stay escaped.
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
 * Returns the canonical path if it differs: `.` and `//` resolved, and with the trailing slash of a tree. `trees` lists
 * the paths, without trailing slash, that contain resources.
 */
export function canonicalPath(path: string, trees: ReadonlySet<string>): string {
  const cleaned = cleanRequestPath(path);
  return trees.has(cleaned) ? `${cleaned}/` : cleaned;
}
