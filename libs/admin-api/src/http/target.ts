/** The target of a request, before it is routed (RFC 9112 §3.2). */
import { cleanRequestPath } from '@sluice/base';

/** What a request is for. */
export interface Target {
  /** Path with escapes, beginning with `/`. */
  readonly path: string;
  /** Query with its `?`, or nothing. */
  readonly query: string;
  /** Host that the target itself names, which then counts instead of the header's; `null` where it names none. */
  readonly host: string | null;
}

/** Reads a target; `null` if it is none that can be served: `*`, or one with a broken escape. */
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

/** Escapes what has no business in a path and would mean something to others, such as `#`. */
function escapeRaw(path: string): string {
  return path.replaceAll(/[^!$-~]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** `/%63onfig/` means `/config/`. Only plain letters count: escaped separators and dots stay what they are. */
function decodeFirstSegment(path: string): string {
  const end = path.indexOf('/', 1) < 0 ? path.length : path.indexOf('/', 1);
  if (!path.slice(0, end).includes('%')) return path;
  const first = path
    .slice(0, end)
    .replaceAll(/%(?:[46][1-9a-f]|[57][\da]|5f|2d)/gi, (escape) => decodeURIComponent(escape));
  return first + path.slice(end);
}

/**
 * Where a path should have been, if it is not as it should: with `.` and `//` resolved, and the slash of a tree. `trees`
 * are the paths, without their slash, below which there are resources.
 */
export function canonicalPath(path: string, trees: ReadonlySet<string>): string {
  const cleaned = cleanRequestPath(path);
  return trees.has(cleaned) ? `${cleaned}/` : cleaned;
}
