/** Translates `rewrite`, which changes the path if a regular expression matches. */
import { passing, raise, rewriteTo, setVariables, subroute, terminal, type Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import type { Scope } from '../scope.ts';
import { marks, type Site } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { expandText, variablesOf } from '../text/expand.ts';
import { expressionMatcher, expressionOf, groupNames } from '../text/regular-expression.ts';
import { redirectRoute } from './return.ts';
import type { ScriptPlace } from './place.ts';

/** Translations of the `rewrite` flags. */
const flags: Readonly<Record<string, (place: ScriptPlace, handlers: readonly Node[]) => Node>> = {
  last: ({ again }, handlers) => terminal([...handlers, ...again()]),
  // After `break`, `proxy_pass` sends the path unchanged, because the location's prefix is not replaced.
  break: ({ site, leave }, handlers) =>
    terminal([...handlers, setVariables({ [marks.rewritten]: '1' }), ...site.recapture(), ...leave()]),
  '': ({ site, rewritten }, handlers) => passing([...handlers, ...rewritten(), ...site.recapture()]),
};

/** Returns the routes for a `rewrite` directive. */
export function rewriteRoutes(place: ScriptPlace, directive: Directive): Node[] {
  const { site } = place;
  const expression = expressionOf(directive, argument(directive, 0, 'a regular expression and a replacement'));
  const { pattern } = expression;
  const to = argument(directive, 1, 'a replacement');
  const flag = directive.args[2] ?? '';
  const name = site.unique('rewrite');
  for (const group of groupNames(pattern)) site.groups.set(group, `{http.regexp.${name}.${group}}`);
  const scope = place.scope;
  const before = scope.captures;
  scope.captures = name;
  const match = expressionMatcher(expression, name, (each) => ({ path_regexp: each }));
  const route = rewriting(place, directive, { to, flag });
  scope.captures = /\((?!\?:)/.test(pattern) ? name : before;
  return [passing([subroute([...guard(to, name), route])], [match])];
}

function rewriting(place: ScriptPlace, directive: Directive, { to, flag }: { to: string; flag: string }): Node {
  const { site, scope } = place;
  if (flag === 'redirect' || flag === 'permanent' || /^(?:https?:\/\/|\$scheme)/.test(to))
    return redirecting(place, directive, { status: flag === 'permanent' ? 301 : 302, to });
  const continuation = Object.hasOwn(flags, flag) ? flags[flag] : undefined;
  if (continuation === undefined)
    throw problemAt(
      directive,
      `expected last, break, redirect or permanent after the replacement, not ${JSON.stringify(flag)}`,
    );
  // After the server's script has changed the path, a request may enter locations marked `internal`.
  const internal = scope.place.kind === 'server' ? [setVariables({ [marks.internal]: '1' })] : [];
  return continuation(place, [rewriteTo(targetText(site, scope, directive, to)), ...internal]);
}

/** Returns handlers that redirect. As in nginx, the original query is appended unless the replacement ends with `?`. */
function redirecting(
  { site, scope }: ScriptPlace,
  directive: Directive,
  { status, to }: { status: number; to: string },
): Node {
  const route = (target: string): Node => redirectRoute(site, scope, directive, { status, to: target });
  if (to.endsWith('?')) return route(to.slice(0, -1));
  if (!to.includes('?')) return route(`${to}$is_args$args`);
  const bare = terminal([subroute([route(to)])], [{ vars: { '{http.request.uri.query}': [''] } }]);
  return passing([subroute([bare, route(`${to}&$args`)])]);
}

/**
 * Returns a new request target in the form of a rewrite's `uri`. A path without `?` keeps the query. For `/x?a=b`, the original query is
 * appended.
 */
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
 * Returns a route that checks a capture. Captures in a new path are decoded a second time, so a capture such as `%2e%2e` is rejected. Such
 * a capture could bypass the location that protects the target.
 */
export function guard(to: string, name: string): Node[] {
  const [path = ''] = to.split('?', 1);
  if (!variablesOf(path).some((variable) => !/^(?:document_)?uri$/.test(variable))) return [];
  return [terminal([raise(400)], [{ vars_regexp: { [`{http.regexp.${name}.0}`]: { pattern: '[%?#]' } } }])];
}
