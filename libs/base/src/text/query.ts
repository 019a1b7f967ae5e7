/** Parses and formats query strings in the same way as Go's net/url. */
import { encodeBytes } from './bytes.ts';
import { escapeQuery, unescapeQueryOrNull } from './percent.ts';

/** Query keys and their values, in order of appearance. */
export type QueryValues = Map<string, string[]>;

/**
 * Parses a query string without the leading `?`. Pairs are separated by `&`. A pair without `=` has an empty value.
 *
 * Skips empty pairs, and pairs with an invalid escape or an unescaped `;`.
 */
export function parseQuery(query: string): QueryValues {
  const values: QueryValues = new Map();
  readPairs(query, values);
  return values;
}

/** Parses a query string like {@link parseQuery}, but returns `null` if a pair is invalid. */
export function parseQueryOrNull(query: string): QueryValues | null {
  const values: QueryValues = new Map();
  return readPairs(query, values) ? values : null;
}

/** Adds the valid pairs to `values`. Returns false if any pair is invalid. */
function readPairs(query: string, values: QueryValues): boolean {
  let complete = true;
  for (let start = 0; start < query.length;) {
    const ampersand = query.indexOf('&', start);
    const end = ampersand < 0 ? query.length : ampersand;
    if (end > start && !readPair(query.slice(start, end), values)) complete = false;
    start = end + 1;
  }
  return complete;
}

function readPair(pair: string, values: QueryValues): boolean {
  if (pair.includes(';')) return false;
  const equals = pair.indexOf('=');
  const key = unescapeQueryOrNull(equals < 0 ? pair : pair.slice(0, equals));
  const value = equals < 0 ? '' : unescapeQueryOrNull(pair.slice(equals + 1));
  if (key === null || value === null) return false;
  const list = values.get(key);
  if (list === undefined) values.set(key, [value]);
  else list.push(value);
  return true;
}

/** Formats a query string, such as `a=1&a=2&b=`. Keys are sorted by their bytes. */
export function encodeQuery(values: Iterable<readonly [string, readonly string[]]>): string {
  let query = '';
  for (const [key, list] of [...values].sort(byKeyBytes)) {
    const prefix = `${escapeQuery(key)}=`;
    for (const value of list) query += `${query === '' ? '' : '&'}${prefix}${escapeQuery(value)}`;
  }
  return query;
}

function byKeyBytes([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return Buffer.compare(encodeBytes(a), encodeBytes(b));
}
