/** Translates `return`, which sends a status, a body, or a redirect. */
import { raise, terminal, type Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import { responseHandlers } from '../response/stages.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { expandText } from '../text/expand.ts';
import { contentType } from '../response/content-types.ts';
import { origin } from '../text/origin.ts';

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns the route for a `return` directive. */
export function returnRoute(site: Site, scope: Scope, directive: Directive): Node {
  const first = argument(directive, 0, 'a status code or a URL');
  const status = /^\d{3}$/.test(first) ? Number(first) : null;
  if (status === null) {
    if (!/^(?:https?:\/\/|\$)/.test(first))
      throw problemAt(
        directive,
        `expected a status code or a URL that begins with http:// or https://, not ${JSON.stringify(first)}`,
      );
    return redirectRoute(site, scope, directive, { status: 302, to: first });
  }
  const text = directive.args[1];
  if (redirects.has(status)) return redirectRoute(site, scope, directive, { status, to: text ?? '' });
  // In nginx, status 444 closes the connection without a response.
  if (status === 444) return terminal([{ handler: 'static_response', abort: true }]);
  if (status >= 400 && text === undefined) return terminal([raise(status)]);
  const headers = text === undefined || text === '' ? {} : { headers: { 'Content-Type': [contentType(site, scope)] } };
  const body = text === undefined ? {} : { body: expandText(text, { site, scope, at: directive }) };
  return terminal([
    ...responseHandlers(site, scope),
    { handler: 'static_response', status_code: status, ...headers, ...body },
  ]);
}

export function redirectRoute(
  site: Site,
  scope: Scope,
  at: Directive,
  { status, to }: { readonly status: number; readonly to: string },
): Node {
  return terminal(redirectHandlers(site, scope, { status, location: expandText(to, { site, scope, at }) }));
}

/** Returns handlers that send a redirect. A path is completed with scheme and host unless `absolute_redirect` is off. */
export function redirectHandlers(
  site: Site,
  scope: Scope,
  { status, location }: { readonly status: number; readonly location: string },
): Node[] {
  const headers = location === '' ? {} : { headers: { Location: [location] } };
  const completing =
    scope.value('absolute_redirect') === 'off' || !/^[/{]/.test(location) ? [] : [completed(site, scope)];
  return [
    ...responseHandlers(site, scope),
    ...completing,
    { handler: 'static_response', status_code: status, ...headers },
  ];
}

/** Returns a handler that adds the scheme and host to a path in the `Location` header. */
function completed(site: Site, scope: Scope): Node {
  const replace = { Location: [{ search_regexp: '^/', replace: `${origin(site, scope)}/` }] };
  return { handler: 'headers', response: { replace, deferred: true } };
}
