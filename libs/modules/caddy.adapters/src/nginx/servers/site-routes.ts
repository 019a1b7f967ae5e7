import { locationHandlers, placeHandlers } from '../locations/location.ts';
import { orderLocations } from '../locations/order.ts';
import type { Location } from '../location-path.ts';
import { readLocations } from '../locations/tree.ts';
import { invoke, passing, raise, rewriteTo, setVariables, subroute, terminal, type Node } from '../json.ts';
import { errorRoutes } from '../locations/error-routes.ts';
import { alwaysHandlers } from '../response/fields.ts';
import type { Scope } from '../scope.ts';
import { redirectHandlers } from '../script/return.ts';
import { alwaysReturns, scriptRoutes } from '../script/script.ts';
import { captureRoute, marks, type Site } from '../site.ts';

/** Generates the named routes of a `server` block. */
export function translateSite(site: Site): void {
  site.tree = readLocations(site, site.scope);
  const { script, ends } = serverScript(site);
  const choices = orderLocations(site.tree.filter(({ path }) => path.kind !== 'named'));
  const handlers = new Map<Location, Node[]>();
  const locations = choices.map(({ location, slashMissing, match }) => {
    const set = match === null ? [] : [match];
    const internal = location.scope.find('internal') !== undefined;
    if (slashMissing && !internal) return terminal(slashHandlers(site, location.scope), set);
    const known = handlers.get(location) ?? locationHandlers(site, location);
    handlers.set(location, known);
    return terminal(known, set);
  });
  for (const location of site.tree.filter(({ path }) => path.kind === 'named'))
    site.namedRoutes.set(site.named(location.path.text), passing(locationHandlers(site, location)));
  const reached = choices.some(({ match }) => match === null);
  const rest = reached
    ? []
    : ends
      ? [passing([raise(404)])]
      : [passing(placeHandlers(site, site.scope, { kind: 'prefix', text: '/' }))];
  // At this point, all uses of variables have been translated.
  const definitions = site.definitions();
  const clean: Node[] = site.usesUri ? [captureRoute] : [];
  if (site.errorRoutes().length > 0) site.namedRoutes.set(site.failures, site.failureRoute());
  site.namedRoutes.set(site.locations, passing([subroute([...clean, ...locations, ...rest])]));
  site.namedRoutes.set(
    site.id,
    passing([subroute([...dotRoutes, ...definitions, ...clean, ...script, passing([invoke(site.locations)])])]),
  );
}

/**
 * Routes that add a missing trailing slash. nginx normalizes `/admin/x/..` to `/admin/`, but Sluice's cleaned path has a trailing slash
 * only if the original path has one.
 */
const dotRoutes: readonly Node[] = [
  passing(
    [rewriteTo('{http.request.uri.path}/')],
    [{ vars_regexp: { '{http.request.uri.path}': { pattern: '/\\.\\.?$' } } }],
  ),
];

function slashHandlers(site: Site, scope: Scope): Node[] {
  return [
    rewriteTo('{http.request.uri.path}/'),
    ...redirectHandlers(site, scope, { status: 301, location: '{http.request.uri}' }),
  ];
}

/** Returns the script of a server, and whether it always sends a response. */
function serverScript(site: Site): { readonly script: readonly Node[]; readonly ends: boolean } {
  const key = `${site.id}_server`;
  for (const handle of errorRoutes(site, site.scope)) site.onError(key, handle);
  site.onFailure(key, alwaysHandlers(site, site.scope));
  const captures = site.scope.captures;
  let left = false;
  const go = (): Node[] => {
    left = true;
    return [invoke(site.locations)];
  };
  const routes = scriptRoutes({
    site,
    scope: site.scope,
    leave: go,
    again: go,
    branch: () => site.unique('if'),
    rewritten: () => [],
  });
  site.scope.captures = captures;
  const script = routes.length === 0 ? [] : [passing([setVariables({ [marks.location]: key })]), ...routes];
  return { script, ends: alwaysReturns(site.scope) && !left };
}
