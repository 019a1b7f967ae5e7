/** `rewrite`: changes the path where an expression matches it. */
import { passing, raise, rewriteTo, setVariables, subroute, terminal, type Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import type { Scope } from '../scope.ts';
import { marks, type Site } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { expandText, variablesOf } from '../text/expand.ts';
import { groupNames, regularExpression } from '../text/regular-expression.ts';
import { redirectRoute } from './return.ts';
import type { ScriptPlace } from './place.ts';

/** Ways to go on after a `rewrite`. */
const flags: Readonly<Record<string, (place: ScriptPlace, handlers: readonly Node[]) => Node>> = {
  last: ({ again }, handlers) => terminal([...handlers, ...again()]),
  break: ({ scope, leave }, handlers) => terminal([...handlers, ...mark(scope), ...leave()]),
  '': ({ rewritten }, handlers) => passing([...handlers, rewritten()]),
};

/** In a location the path is then no more one that the location has a prefix of. */
function mark(scope: Scope): Node[] {
  return scope.place.kind === 'location' ? [setVariables({ [marks.rewritten]: '1' })] : [];
}

/** The routes of a `rewrite`. */
export function rewriteRoutes(place: ScriptPlace, directive: Directive): Node[] {
  const { site } = place;
  const pattern = regularExpression(directive, argument(directive, 0, 'a regular expression and a replacement'));
  const to = argument(directive, 1, 'a replacement');
  const flag = directive.args[2] ?? '';
  const name = site.unique('rewrite');
  for (const group of groupNames(pattern)) site.groups.set(group, `{http.regexp.${name}.${group}}`);
  const scope = place.scope;
  const before = scope.captures;
  scope.captures = name;
  const match: Node = { path_regexp: { name, pattern } };
  const route = rewriting(place, directive, { to, flag });
  scope.captures = /\((?!\?:)/.test(pattern) ? name : before;
  return [passing([subroute([...guard(to, name), route])], [match])];
}

function rewriting(place: ScriptPlace, directive: Directive, { to, flag }: { to: string; flag: string }): Node {
  const { site, scope } = place;
  if (flag === 'redirect' || flag === 'permanent' || /^(?:https?:\/\/|\$scheme)/.test(to))
    return redirectRoute(site, scope, directive, { status: flag === 'permanent' ? 301 : 302, to: withArguments(to) });
  const continuation = Object.hasOwn(flags, flag) ? flags[flag] : undefined;
  if (continuation === undefined)
    throw problemAt(
      directive,
      `expected last, break, redirect or permanent after the replacement, not ${JSON.stringify(flag)}`,
    );
  return continuation(place, [rewriteTo(targetText(site, scope, directive, to))]);
}

/** nginx adds the arguments of the request to a replacement, unless it ends with `?`. */
function withArguments(to: string): string {
  if (to.endsWith('?')) return to.slice(0, -1);
  return to.includes('?') ? `${to}&$args` : `${to}$is_args$args`;
}

/** A new target as the `uri` of a rewrite. A path without `?` keeps the query, and `/x?a=b` gets it added. */
export function targetText(site: Site, scope: Scope, at: Directive, to: string): string {
  const [path = '', query] = to.split(/\?(.*)/s, 2);
  const special = { uri: '{http.request.uri.path}', document_uri: '{http.request.uri.path}' };
  const place = { site, scope, at, special };
  const rooted = /^[/$]/.test(path) ? path : `/${path}`;
  if (query === undefined) return expandText(rooted, place);
  const bare = to.endsWith('?') ? query.replace(/\?$/, '') : `${query}&$args`;
  return `${expandText(rooted, place)}?${expandText(bare, place)}`;
}

/**
 * What a capture gives to a new path is decoded once more there. A capture that would become something else by that, as
 * `%2e%2e` would, is refused: it could get past the location that protects what it leads to.
 */
export function guard(to: string, name: string): Node[] {
  const [path = ''] = to.split('?', 1);
  if (!variablesOf(path).some((variable) => !/^(?:document_)?uri$/.test(variable))) return [];
  return [terminal([raise(400)], [{ vars_regexp: { [`{http.regexp.${name}.0}`]: { pattern: '[%?#]' } } }])];
}
