/** Converts paths between three notations: JSON Pointer, the notation in messages, and admin API URLs. */
import type { Path } from './json.ts';

/** Formats a path as a JSON Pointer (RFC 6901): `['apps', 'a/b', 0]` becomes `/apps/a~1b/0`. */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Parses a JSON Pointer. Digits become indexes, which also match numeric object keys. */
export function parsePointer(pointer: string): Path {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => indexOr(key.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/**
 * Formats a path as in messages: `['apps', 'http', 'routes', 0]` becomes `apps.http.routes[0]`. Keys that are not identifiers are quoted:
 * `apps["a.b"]`.
 */
export function whereOf(path: Path): string {
  const parts = path.map((key) => {
    if (typeof key === 'number' || /^\d+$/.test(key)) return `[${key}]`;
    return /^[A-Za-z_@][\w@-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return parts.join('').replace(/^\./, '');
}

/** Parses a path as it occurs in messages, such as `apps.http.routes[0]`. A string that is not a path becomes a single key. */
export function parseWhere(where: string): Path {
  const path: (string | number)[] = [];
  const part = /\.?([A-Za-z_@][\w@-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  while (part.lastIndex < where.length) {
    const [, name, index, quoted] = part.exec(where) ?? [];
    const key = name ?? index ?? unquoted(quoted);
    if (key === null) return [where];
    path.push(index === undefined ? key : indexOr(key));
  }
  return path;
}

function unquoted(text: string | undefined): string | null {
  try {
    return text === undefined ? null : (JSON.parse(text) as string);
  } catch {
    return null;
  }
}

/** Percent-encodes a value for a URL. Lone surrogates become U+FFFD. */
export function encoded(text: string | number | boolean): string {
  return encodeURIComponent(String(text).toWellFormed());
}

/** Formats a path as part of a URL below `/config`: `apps/a%2Fb/0`. */
export function addressOf(path: Path): string {
  return path.map(encoded).join('/');
}

/** Parses `/apps/http/servers/a%2Fb/routes/0`. */
export function parseAddress(address: string): Path {
  const keys = address.split('/').filter((key) => key !== '');
  return keys.map((key) => indexOr(decoded(key)));
}

function indexOr(key: string): string | number {
  return /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : key;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
