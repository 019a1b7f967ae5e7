/** How the target of a request becomes that of the request to the upstream: the rules of the URI in `proxy_pass`. */
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

/** Routes that make the target again what the client sent; a text without `?` would keep the query. */
const restored: readonly Node[] = ['', '?'].map((end) => {
  const none = { vars: { '{http.request.orig_uri.query}': [''] } };
  return passing([rewriteTo(`{http.request.orig_uri}${end}`)], [end === '' ? { not: [none] } : none]);
});

/** Matches requests whose target is no more the one that the client sent. */
const changed: Node = { not: [{ vars: { '{http.request.uri}': ['{http.request.orig_uri}'] } }] };

/**
 * The handlers that change the target. Without a URI it stays as the client sent it. With one, the part of the path that
 * the location matched is replaced by it. With variables in the address, its URI is the whole target.
 */
export function targetHandlers(
  site: Site,
  scope: Scope,
  path: LocationPath,
  { directive, address }: { readonly directive: Directive; readonly address: ProxyAddress },
): Node[] {
  const { uri, host } = address;
  if (uri === null) return [];
  // The target as the client sent it: a path that was not changed keeps its escapes only if it is left alone.
  if (uri === '$request_uri') return [subroute([passing([subroute(restored)], [changed])])];
  if (variablesOf(host + uri).length > 0) return [rewriteTo(wholeTarget(site, scope, directive, uri))];
  const standsInIf = scope.kind === 'if' && scope.directives.includes(directive);
  if (standsInIf || path.kind === 'regex' || path.kind === 'named') {
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

/** nginx replaces a part of the clean path: `/a/../b` is `/b` before. A path that is clean already keeps its escapes. */
const cleaned: Node = subroute([passing([rewriteTo(cleanUri)], [{ ...unclean, ...captureClean }])]);

/** Reports whether a script has a `rewrite … break`, after which no part of the path counts as the location's. */
function rewrites(directives: readonly Directive[]): boolean {
  return directives.some(({ name, args, block }) =>
    name === 'rewrite' ? args[2] === 'break' : name === 'if' && rewrites(block ?? []),
  );
}

/** The target of a request for a fixed path, such as that of `auth_request`. */
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
 * Takes the prefix off and puts another one there. What is left always begins with a slash when a prefix is off, so that
 * of `/api` (without a slash at its end) three kinds of paths are distinguished: `/api`, `/api/x` and `/apix`.
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

/** Variable that keeps which kind of path it was, as the path changes. */
const mark = 'nginx.target';
