/** Computes the upstream request target from the client's request target and the URI in `proxy_pass`. */
import { passing, rewriteTo, subroute, type Node } from '../json.ts';
import type { LocationPath } from '../location-path.ts';
import { problemAt } from '../problem.ts';
import { targetText } from '../script/rewrite.ts';
import type { Scope } from '../scope.ts';
import { captureClean, cleanUri, marks, type Site } from '../site.ts';
import type { Directive } from '../syntax/directive.ts';
import { escapeBraces, expandText, variablesOf } from '../text/expand.ts';
import { literal } from '../text/regular-expression.ts';
import { parseAddress, type ProxyAddress } from './address.ts';

/**
 * Handlers that restore the original request target. If the original query is empty, the rewrite ends with `?`. Otherwise, the current
 * query would be kept.
 */
const restored: readonly Node[] = ['', '?'].map((end) => {
  const none = { vars: { '{http.request.orig_uri.query}': [''] } };
  return passing([rewriteTo(`{http.request.orig_uri}${end}`)], [end === '' ? { not: [none] } : none]);
});

/** Matches requests whose target has been changed. */
const changed: Node = { not: [{ vars: { '{http.request.uri}': ['{http.request.orig_uri}'] } }] };

/**
 * Returns handlers that set the upstream request target. If `proxy_pass` has no URI, the original target is kept. Otherwise, the URI
 * replaces the path prefix that the location matched. If the address contains variables, its URI is the complete target.
 */
export function targetHandlers(
  site: Site,
  scope: Scope,
  path: LocationPath,
  { directive, address }: { readonly directive: Directive; readonly address: ProxyAddress },
): Node[] {
  const { uri, host } = address;
  if (uri === null) return [];
  // Use the original target. Percent-escapes are preserved only if the path is not rewritten.
  if (uri === '$request_uri') return [subroute([passing([subroute(restored)], [changed])])];
  if (variablesOf(host + uri).length > 0) return [rewriteTo(wholeTarget(site, scope, directive, uri))];
  const isInIf = scope.kind === 'if' && scope.directives.includes(directive);
  if (isInIf || path.kind === 'regex' || path.kind === 'named') {
    throw problemAt(
      directive,
      `proxy_pass must not have a URI (${uri}) in a location with a regular expression or a name, or in an if`,
    );
  }
  const [to = '', query] = uri.split(/\?(.*)/s, 2);
  const added = query === undefined ? [] : [rewriteTo(`?${escapeBraces(query)}&{http.request.uri.query}`)];
  const replaced = path.kind === 'exact' ? [rewriteTo(escapeBraces(to))] : prefixHandlers(path.text, to);
  const handlers = replaced.length === 0 ? added : [cleaned, ...replaced, ...added];
  const changes = rewrites(scope.place.directives) || rewrites(site.scope.directives);
  if (handlers.length === 0 || !changes) return handlers;
  return [subroute([passing(handlers, [{ not: [{ vars: { [marks.rewritten]: ['1'] } }] }])])];
}

const unclean: Node = { vars_regexp: { '{http.request.uri.path}': { pattern: String.raw`//|/\.\.?(?:/|$)` } } };

/**
 * Cleans the path, because nginx replaces the prefix of the cleaned path: `/a/../b` first becomes `/b`. A path that is already clean keeps
 * its percent-escapes.
 */
const cleaned: Node = subroute([passing([rewriteTo(cleanUri)], [{ ...unclean, ...captureClean }])]);

/** Reports whether a script contains `rewrite … break`. After such a rewrite, the location's prefix is not replaced. */
function rewrites(directives: readonly Directive[]): boolean {
  return directives.some(({ name, args, block }) =>
    name === 'rewrite' ? args[2] === 'break' : name === 'if' && rewrites(block ?? []),
  );
}

/** Returns the upstream request target for a fixed path, for example for `auth_request`. */
export function fixedTarget(
  site: Site,
  scope: Scope,
  path: LocationPath,
  { directive, uri: asked }: { readonly directive: Directive; readonly uri: string },
): string {
  const { uri, host } = parseAddress(directive, directive.args[0] ?? '');
  if (uri === null) return `${escapeBraces(asked)}?`;
  if (variablesOf(host + uri).length > 0) return wholeTarget(site, scope, directive, uri);
  const rest = path.kind === 'exact' ? '' : asked.slice(path.text.length);
  return `${escapeBraces(uri + rest)}${uri.includes('?') ? '' : '?'}`;
}

function wholeTarget(site: Site, scope: Scope, at: Directive, uri: string): string {
  if (uri === '$request_uri') return '{http.request.orig_uri}';
  if (uri.includes('?')) {
    const [path = '', query = ''] = uri.split(/\?(.*)/s, 2);
    return `${targetText(site, scope, at, path)}?${expandText(query, { site, scope, at })}`;
  }
  const [path, ...rest] = uri.split('$is_args');
  return targetText(site, scope, at, path ?? '') + (rest.length > 0 ? '' : '?');
}

/**
 * Returns handlers that replace a path prefix. After the prefix is stripped, the remaining path begins with a slash. For `/api` without a
 * trailing slash, three cases are therefore distinguished: `/api`, `/api/x` and `/apix`.
 */
function prefixHandlers(prefix: string, to: string): Node[] {
  const stem = prefix.replace(/\/$/, '');
  if (stem === '' && to === '/') return [];
  const replaced = (replacement: string): Node => ({
    handler: 'rewrite',
    path_regexp: [{ find: '^/', replace: escapeBraces(replacement).replaceAll('$', '$$$$') }],
  });
  const strip: Node[] = stem === '' ? [] : [{ handler: 'rewrite', strip_path_prefix: stem }];
  if (prefix.endsWith('/')) return [...strip, replaced(to)];
  const marked = (pattern: string, value: string): Node =>
    passing([{ handler: 'vars', [mark]: value }], [{ path_regexp: { pattern } }]);
  const when = (value: string, handlers: readonly Node[]): Node => passing(handlers, [{ vars: { [mark]: [value] } }]);
  return [
    subroute([
      marked(`^${literal(stem)}$`, 'itself'),
      marked(`^${literal(stem)}/`, 'below'),
      marked(`^${literal(stem)}[^/]`, 'longer'),
      when('itself', [rewriteTo(escapeBraces(to))]),
      when('below', [...strip, replaced(`${to}/`)]),
      when('longer', [...strip, replaced(to)]),
    ]),
  ];
}

/** Variable that records the type of path (`/api`, `/api/x` or `/apix`). It is set before the path changes. */
const mark = 'nginx.target';
