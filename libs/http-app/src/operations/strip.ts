/** Removes a prefix or suffix from an escaped path, and validates the rest as a new path. */
import { escapePath, unescapePathOrNull, withoutDotSegments, itemAt } from '@sluice/base';

/** One path character: `raw` is its form in the URI, and `plain` is its decoded form. An escape sequence counts as one character. */
interface Unit {
  readonly raw: string;
  readonly plain: string;
}

function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  for (let i = 0; i < text.length; i++) {
    const hex = text[i] === '%' ? /^[\dA-Fa-f]{2}/.exec(text.slice(i + 1, i + 3))?.[0] : undefined;
    if (hex === undefined) units.push({ raw: text.charAt(i), plain: text.charAt(i).toLowerCase() });
    else {
      units.push({ raw: `%${hex}`, plain: String.fromCharCode(Number.parseInt(hex, 16)).toLowerCase() });
      i += 2;
    }
  }
  return units;
}

/**
 * Reports whether two characters match. An escape in the pattern matches only the same escape. A plain character matches its escaped and
 * plain forms, ignoring case.
 */
function same(path: Unit, pattern: Unit): boolean {
  return pattern.raw.length > 1 ? path.raw.toLowerCase() === pattern.raw.toLowerCase() : path.plain === pattern.plain;
}

/**
 * Removes a prefix. A slash in the prefix matches any sequence of slashes, unless the prefix contains consecutive slashes. The result
 * begins with one slash and contains no dot segments, whether plain or escaped. For example, removing `/mount` from `/mount../x` yields
 * `/x`.
 */
export function stripPrefix(rawPath: string, prefix: string): string {
  const wanted = unitsOf(prefix.startsWith('/') ? prefix : `/${prefix}`);
  const exact = prefix.includes('//');
  const units = unitsOf(rawPath);
  let at = 0;
  for (const unit of wanted) {
    const here = units[at];
    if (here === undefined || !same(here, unit)) return rawPath;
    at++;
    if (!exact && unit.raw === '/') while (units[at]?.raw === '/') at++;
  }
  return withoutDotSegments(rooted(joined(units.slice(at))));
}

/** Returns the path with a single leading slash. If the path starts with an escaped slash, the result starts with a plain slash. */
function rooted(rest: string): string {
  const plain = unescapePathOrNull(rest);
  if (rest.startsWith('/') || plain === null || !plain.startsWith('/')) return `/${rest.replace(/^\/+/, '')}`;
  return escapePath(plain);
}

/** Removes a suffix once. The result contains no dot segments. */
export function stripSuffix(rawPath: string, suffix: string): string {
  if (suffix === '') return rawPath;
  const wanted = unitsOf(suffix);
  const units = unitsOf(rawPath);
  const start = units.length - wanted.length;
  if (start < 0 || !wanted.every((unit, i) => same(itemAt(units, start + i), unit))) return rawPath;
  return withoutDotSegments(joined(units.slice(0, start)) || '/');
}

function joined(units: readonly Unit[]): string {
  return units.map((unit) => unit.raw).join('');
}
