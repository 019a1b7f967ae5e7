/** Matches responses by status and header fields. Used by `require` in `headers`, `match` in `encode`, and `handle_response`. */
import { headerMap, integers, options, type Options } from '@sluice/registry';
import type { HeaderMap } from '@sluice/http1';

export const responseMatcherOptions = options({
  status_code: integers('Status codes or status code classes. 2 matches 200 to 299.'),
  headers: headerMap(
    'Map of header field names to value patterns: an exact value, `prefix*`, `*suffix` or `*substring*`. Empty list = the field must be present; null = the field must be absent.',
  ),
});

export type ResponseMatcher = (status: number, headers: HeaderMap) => boolean;

/** Compiles a response matcher. A matcher without options matches every response. */
export function compileResponseMatcher(
  config: Options<typeof responseMatcherOptions> | null | undefined,
): ResponseMatcher {
  if (!config) return matchesAll;
  const codes = config.status_code ?? [];
  const fields = Object.entries(config.headers ?? {}).map(([name, patterns]) => ({
    name: name.toLowerCase(),
    matches: fieldMatcher(patterns),
  }));
  return (status, headers) => {
    if (codes.length > 0 && !codes.some((code) => code === status || (code < 10 && code === Math.floor(status / 100))))
      return false;
    for (const { name, matches } of fields) if (!matches(headers, name)) return false;
    return true;
  };
}

const matchesAll: ResponseMatcher = () => true;

type FieldMatcher = (headers: HeaderMap, name: string) => boolean;

/**
 * Returns a matcher for one header field. `null` requires the field to be absent, and an empty list requires it to be present. Otherwise,
 * at least one value must match at least one pattern.
 */
function fieldMatcher(patterns: readonly string[] | null): FieldMatcher {
  if (patterns === null) return (headers, name) => !headers.has(name);
  if (patterns.length === 0) return (headers, name) => headers.has(name);
  const tests = patterns.map(valuePattern);
  return (headers, name) => {
    for (let i = 0; i < headers.size; i++)
      if (headers.names[i] === name && tests.some((test) => test(headers.valueAt(i)))) return true;
    return false;
  };
}

/** Returns a predicate for a field value. The pattern must match exactly, unless it has a leading or trailing asterisk. */
function valuePattern(pattern: string): (value: string) => boolean {
  const starts = pattern.startsWith('*');
  const ends = pattern.endsWith('*');
  if (pattern === '*') return () => true;
  if (starts && ends) return (value) => value.includes(pattern.slice(1, -1));
  if (starts) return (value) => value.endsWith(pattern.slice(1));
  if (ends) return (value) => value.startsWith(pattern.slice(0, -1));
  return (value) => value === pattern;
}
