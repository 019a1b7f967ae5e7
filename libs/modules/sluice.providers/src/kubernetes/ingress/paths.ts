/** Converts Ingress paths to matchers, and computes their precedence. */
import { compileRegExp, messageOf, type JsonObject } from '@sluice/base';
import { descending } from '../gateway/hostnames.ts';
import { matchersOf } from '../gateway/matches.ts';
import { quoteRegExp } from '../../common/text.ts';
import type { Claim } from './claims.ts';

/** Special characters in patterns of the `path` matcher, which must be escaped. */
const patternCharacters = /[*?[\]\\%{}]|\/\//;

/**
 * Returns the matchers of an Ingress path. In ingress-nginx, a path of type ImplementationSpecific is a string prefix. If any path of a
 * host is a regular expression, all paths of the host become case-insensitive expressions.
 *
 *    @returns an error message if the path is invalid
 */
export function pathMatchers({ path, type }: Claim, usesExpressions: boolean): JsonObject | string {
  if (type === 'Exact') return matchersOf({ path: { type: 'Exact', value: path } });
  if (usesExpressions) {
    const pattern = `(?i)^${path}`;
    try {
      compileRegExp(pattern);
    } catch (error) {
      return `path ${path}: ${messageOf(error)}`;
    }
    return path === '/' ? {} : { path_regexp: { pattern } };
  }
  if (type === 'Prefix') return matchersOf({ path: { type: 'PathPrefix', value: path } });
  if (path === '/') return {};
  return {
    ...(patternCharacters.test(path) ? {} : { path: [`${path}*`] }),
    path_regexp: { pattern: `^${quoteRegExp(path)}` },
  };
}

/** Returns a sort key for the paths of a host. Exact paths come first, then others from longest to shortest. */
export function pathRank({ path, type }: Claim): string {
  return `${type === 'Exact' ? '0' : '1'}${descending(path.length)}`;
}

/**
 * Returns a handler that rewrites the path. `$1` in the target refers to a capture group of the path's regular expression.
 *
 * @param target Path with placeholders instead of variables.
 */
export function rewriting({ path, type }: Claim, target: string, usesExpressions: boolean): JsonObject {
  const source = type === 'Exact' || !usesExpressions ? quoteRegExp(path) : path;
  return { handler: 'rewrite', path_regexp: [{ find: `(?is)^${source}.*$`, replace: target }] };
}
