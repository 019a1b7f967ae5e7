/** The handlers for errors that are raised in a location. */
import { passing, rewriteTo, subroute, terminal, type Node } from '../json.ts';
import { findLocation } from '../find-location.ts';
import { redirectRoute } from '../script/return.ts';
import { targetText } from '../script/rewrite.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { expandText } from '../text/expand.ts';
import { errorPages, type ErrorPage } from '../response/error-page.ts';
import { alwaysHandlers } from '../response/fields.ts';

/**
 * Chains of handlers for errors of a location, of which the first runs: pages, then fields that errors get as well. An
 * error in a page is not handled again.
 */
export function errorRoutes(site: Site, scope: Scope): Node[][] {
  const pages = errorPages(scope).flatMap((page) => pageRoutes(site, scope, page));
  const always = alwaysHandlers(site, scope);
  const plain = { handler: 'static_response', status_code: '{http.error.status_code}' };
  if (pages.length === 0) return always.length === 0 ? [] : [[...always, plain]];
  return [[subroute(always.length === 0 ? pages : [...pages, passing([...always, plain])])]];
}

function pageRoutes(site: Site, scope: Scope, page: ErrorPage): Node[] {
  const match = { vars: { '{http.error.status_code}': page.statuses.map(String) } };
  if (page.statuses.some((status) => [494, 497, 498].includes(status)))
    site.adaptation.warn(
      page.directive,
      'the statuses 494, 497 and 498 are not raised here: their page is never served',
    );
  if (/^(?:https?:\/\/|\$)/.test(page.to)) {
    const status = typeof page.status === 'number' && page.status >= 300 && page.status < 400 ? page.status : 302;
    return [terminal([subroute([redirectRoute(site, scope, page.directive, { status, to: page.to })])], [match])];
  }
  const status = typeof page.status === 'number' ? page.status : '{http.error.status_code}';
  const responses = page.status === 'response' ? ownStatus(site, page.to) : intercepting(status);
  return [terminal([...responses, ...goTo(site, scope, page)], [match])];
}

/** Whatever is served gets this status. */
function intercepting(status: number | string): Node[] {
  return [{ handler: 'intercept', handle_response: [{ status_code: status }] }];
}

/** `=`: what is served has its own status. A file would have that of the error. */
function ownStatus(site: Site, to: string): Node[] {
  const location = to.startsWith('@')
    ? site.tree.find(({ path }) => path.text === to)
    : findLocation(site.tree, to.split('?', 1)[0] ?? '');
  const files =
    location === undefined ||
    location === null ||
    !location.scope.directives.some(({ name }) => /_pass$|^return$/.test(name));
  return files ? intercepting(200) : [];
}

function goTo(site: Site, scope: Scope, page: ErrorPage): Node[] {
  if (page.to.startsWith('@')) return site.goto(page.to);
  const [path = '', query = ''] = page.to.split(/\?(.*)/s, 2);
  const target = targetText(site, scope, page.directive, path);
  const text = expandText(query, { site, scope, at: page.directive });
  return [{ ...rewriteTo(`${target}?${text}`), method: 'GET' }, ...site.redirect()];
}
