/** Ways to write a path: as a JSON pointer, as messages do, and as the admin API has it in its addresses. */
import type { Path } from './json.ts';

/** `['apps', 'a/b', 0]` is `/apps/a~1b/0` (RFC 6901). */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The path of a pointer. Digits are indexes: where an object has such a key, it is found by them as well. */
export function parsePointer(pointer: string): Path {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => indexOr(key.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** `['apps', 'http', 'routes', 0]` is `apps.http.routes[0]`; other keys than plain ones are quoted: `apps["a.b"]`. */
export function whereOf(path: Path): string {
  const parts = path.map((key) => {
    if (typeof key === 'number' || /^\d+$/.test(key)) return `[${key}]`;
    return /^[A-Za-z_@][\w@-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return parts.join('').replace(/^\./, '');
}

/** The path of `apps.http.routes[0]`. What cannot be one leads nowhere: to a key that has that name. */
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

/** As part of an address. Half of a surrogate pair, which has no place in one, becomes U+FFFD. */
export function encoded(text: string | number | boolean): string {
  return encodeURIComponent(String(text).toWellFormed());
}

/** As it stands below `/config`: `apps/a%2Fb/0`. */
export function addressOf(path: Path): string {
  return path.map(encoded).join('/');
}

/** The path of `/apps/http/servers/a%2Fb/routes/0`. */
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
