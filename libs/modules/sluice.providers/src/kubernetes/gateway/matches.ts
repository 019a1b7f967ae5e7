/** Converts the matches of route rules to matchers, and computes their precedence among all routes. */
import type { Json, JsonObject } from '@sluice/base';
import type { RouteMatch, ValueMatch } from '../objects.ts';
import { descending } from './hostnames.ts';
import { literal, quoteRegExp } from '../../common/text.ts';

/** Special characters in patterns of the `path` matcher, which must be escaped. */
const patternCharacters = /[*?[\]\\%{}]|\/\//;

/** Returns the matchers for a route match, without those for hostnames. */
export function matchersOf(match: RouteMatch): JsonObject {
  const matchers: Record<string, Json> = { ...pathMatchers(match) };
  if (match.method !== undefined) matchers['method'] = [match.method];
  const headers: Record<string, Json> = {};
  const headerPatterns: Record<string, Json> = {};
  for (const header of firstOfEach(match.headers ?? [], (name) => name.toLowerCase())) {
    if (isPattern(header) || /^\*|\*$/.test(header.value)) headerPatterns[header.name] = patternOf(header);
    else headers[header.name] = [literal(header.value)];
  }
  if (Object.keys(headers).length > 0) matchers['header'] = headers;
  if (Object.keys(headerPatterns).length > 0) matchers['header_regexp'] = headerPatterns;
  const query: Record<string, Json> = {};
  const queryPatterns: Record<string, Json> = {};
  for (const parameter of firstOfEach(match.queryParams ?? [], (name) => name)) {
    if (isPattern(parameter) || parameter.value === '*')
      queryPatterns[`{http.request.uri.query.${parameter.name}}`] = patternOf(parameter);
    else query[parameter.name] = [literal(parameter.value)];
  }
  if (Object.keys(query).length > 0) matchers['query'] = query;
  if (Object.keys(queryPatterns).length > 0) matchers['vars_regexp'] = queryPatterns;
  return matchers;
}

export function combined(hosts: JsonObject, matchers: JsonObject): JsonObject {
  const patterns = { ...(hosts['vars_regexp'] as JsonObject), ...(matchers['vars_regexp'] as JsonObject) };
  return { ...hosts, ...matchers, ...(Object.keys(patterns).length === 0 ? {} : { vars_regexp: patterns }) };
}

/** Returns a sort key for the precedence of route matches with the same hostname. */
export function matchRank({ path, method, headers, queryParams }: RouteMatch): string {
  const { type = 'PathPrefix', value = '/' } = path ?? {};
  const kind = type === 'Exact' ? '0' : type === 'RegularExpression' ? '1' : '2';
  return [
    `${kind}${descending(value.length)}`,
    method === undefined ? '1' : '0',
    descending(headers?.length ?? 0),
    descending(queryParams?.length ?? 0),
  ].join(' ');
}

/** Returns the path prefix of a route match, without a trailing slash. Returns `null` for other match types. */
export function prefixOf({ path }: RouteMatch): string | null {
  if (path?.type !== undefined && path.type !== 'PathPrefix') return null;
  return (path?.value ?? '/').replace(/\/+$/, '');
}

/**
 * Returns the path matchers. The Gateway API's paths are case-sensitive, but the `path` matcher is not. The `path` matcher is still
 * included, because the route index depends on it. A second matcher compares the path case-sensitively.
 */
function pathMatchers(match: RouteMatch): JsonObject {
  const { type, value = '/' } = match.path ?? {};
  if (type === 'RegularExpression') return { path_regexp: { pattern: `^(?:${value})$` } };
  if (type === 'Exact')
    return {
      ...(patternCharacters.test(value) ? {} : { path: [value] }),
      vars: { '{http.request.uri.path}': [literal(value)] },
    };
  const prefix = prefixOf(match) ?? '';
  if (prefix === '') return {};
  return {
    ...(patternCharacters.test(prefix) ? {} : { path: [prefix, `${prefix}/*`] }),
    path_regexp: { pattern: `^${quoteRegExp(prefix)}(?:/|$)` },
  };
}

function isPattern({ type }: ValueMatch): boolean {
  return type === 'RegularExpression';
}

function patternOf(match: ValueMatch): JsonObject {
  return { pattern: `^(?:${isPattern(match) ? match.value : quoteRegExp(match.value)})$` };
}

/** Returns the first entry for each name. The specification requires later entries for the same name to be ignored. */
function firstOfEach(matches: readonly ValueMatch[], same: (name: string) => string): readonly ValueMatch[] {
  return [...new Map([...matches].reverse().map((each) => [same(each.name), each])).values()].reverse();
}
