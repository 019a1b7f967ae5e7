/** Translates error handling in a location. */
import { invoke, passing, plainError, rewriteTo, subroute, terminal, type Node } from '../json.ts';
import { findLocation } from '../find-location.ts';
import { redirectRoute } from '../script/return.ts';
import { targetText } from '../script/rewrite.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { expandText } from '../text/expand.ts';
import { errorPages, type ErrorPage } from '../response/error-page.ts';
import { cachingHandlers } from '../response/expires.ts';
import { alwaysHandlers, plainHandlers } from '../response/fields.ts';

/**
 * Returns the error handlers of a location. Handlers for error pages come first, followed by handlers that set response headers. Only the
 * first matching chain runs. If serving an error page fails, only the new status is sent.
 */
export function errorRoutes(site: Site, scope: Scope): Node[][] {
  const pages = errorPages(scope).flatMap((page) => pageRoutes(site, scope, page));
  const always = alwaysHandlers(site, scope);
  if (pages.length === 0) return always.length === 0 ? [] : [[...always, plainError]];
  return [[subroute(always.length === 0 ? pages : [...pages, passing([...always, plainError])])]];
}

function pageRoutes(site: Site, scope: Scope, page: ErrorPage): Node[] {
  const match = { vars: { '{http.error.status_code}': page.statuses.map(String) } };
  if (page.statuses.some((status) => [494, 497, 498].includes(status)))
    site.adaptation.warn(
      page.directive,
      'status codes 494, 497 and 498 do not occur in Sluice; their error pages are never used',
    );
  if (!/^[/@]/.test(page.to)) {
    const status = typeof page.status === 'number' && page.status >= 300 && page.status < 400 ? page.status : 302;
    return [terminal([subroute([redirectRoute(site, scope, page.directive, { status, to: page.to })])], [match])];
  }
  const status = typeof page.status === 'number' ? page.status : '{http.error.status_code}';
  const target = page.to.startsWith('@')
    ? (site.tree.find(({ path }) => path.text === page.to) ?? null)
    : findLocation(site.tree, page.to.split('?', 1)[0] ?? '');
  // A file is sent with the error status. Any other response keeps its own status.
  const files = target === null || !target.scope.directives.some(({ name }) => /_pass$|^return$/.test(name));
  const changed = page.status === 'response' ? (files ? 200 : null) : page.status === null ? null : status;
  const responses =
    changed === null
      ? page.status === 'response'
        ? []
        : intercepting(status)
      : [...(files ? successHandlers(site, target?.scope ?? site.scope) : []), ...intercepting(changed)];
  const failing = { routes: [passing([invoke(site.failures)])] };
  return [terminal([{ ...subroute([passing(goTo(site, scope, page, responses))]), errors: failing }], [match])];
}

/** Returns handlers that set headers on successful responses. Error pages do not get these headers. */
function successHandlers(site: Site, scope: Scope): Node[] {
  return [...plainHandlers(site, scope), ...cachingHandlers(site, scope)];
}

/** Returns handlers that set the response status, unless the response is a redirect. */
function intercepting(status: number | string): Node[] {
  return [{ handler: 'intercept', handle_response: [{ match: { status_code: [1, 2, 4, 5] }, status_code: status }] }];
}

/** Error pages are requested with GET. Only HEAD requests keep their method, as in nginx. */
const getInstead = subroute([passing([{ handler: 'rewrite', method: 'GET' }], [{ not: [{ method: ['HEAD'] }] }])]);

/** Returns handlers that redirect internally to an error page. `responses` are handlers that modify the response of the error page. */
function goTo(site: Site, scope: Scope, page: ErrorPage, responses: readonly Node[]): Node[] {
  if (page.to.startsWith('@')) return [...responses, ...site.goto(page.to)];
  const [path = '', query = ''] = page.to.split(/\?(.*)/s, 2);
  const target = targetText(site, scope, page.directive, path);
  const text = expandText(query, { site, scope, at: page.directive });
  return [rewriteTo(`${target}?${text}`), getInstead, ...responses, ...site.redirect()];
}
