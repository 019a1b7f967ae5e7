/** Documents with their routes as flat as they can be, so that how they are nested does not count. */
import { isArray, isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';

/** The value with its routes as flat as they can be. */
export function flattened(value: Json): Json {
  if (isArray(value)) {
    return value.length > 0 && value.every(isRoute) ? sitesSorted(value.flatMap(flatRoutes)) : value.map(flattened);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, flattened(item)]));
}

/** Routes that end for their own hosts may stand in any order: of neighbours for different hosts only one matches. */
function sitesSorted(routes: readonly Json[]): readonly Json[] {
  const sorted: Json[] = [];
  let run: [string, Json][] = [];
  const taken = new Set<string>();
  const flush = (): void => {
    sorted.push(...run.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, route]) => route));
    run = [];
    taken.clear();
  };
  for (const route of routes) {
    const hosts = ownHosts(route);
    if (hosts === null || hosts.some((host) => taken.has(host))) flush();
    if (hosts === null) sorted.push(route);
    else {
      run.push([hosts.join(' '), route]);
      for (const host of hosts) taken.add(host);
    }
  }
  flush();
  return sorted;
}

/** The hosts that a route is for and ends at; `null` where it is for others, too, or for patterns. */
function ownHosts(route: Json): readonly string[] | null {
  if (!isObject(route) || route['terminal'] !== true || route['group'] !== undefined) return null;
  const [set, ...more] = isArray(route['match']) ? route['match'] : [];
  const hosts = isObject(set) && more.length === 0 && isArray(set['host']) ? set['host'] : [];
  const names = hosts.map(String).map((host) => host.toLowerCase());
  return names.length === 0 || names.some((host) => /[*{]/.test(host)) ? null : names;
}

function isRoute(value: Json): boolean {
  return isObject(value) && (isArray(value['handle']) || (value['terminal'] === true && isArray(value['match'])));
}

/** Each handler of a route for all requests has one of its own; those of a subroute take its place. */
function flatRoutes(value: Json): readonly Json[] {
  const route = plainRoute(value);
  const { handle, ...others } = route;
  if (Object.keys(others).length > 0 || !isArray(handle)) return [route];
  return handle.flatMap((handler) => routesOf(handler) ?? [{ handle: [handler] }]);
}

/** The routes of a handler that only runs these, or `null`. */
function routesOf(handler: Json): readonly Json[] | null {
  if (!isObject(handler)) return null;
  const { handler: name, routes, ...more } = handler;
  return name === 'subroute' && Object.keys(more).length === 0 && isArray(routes) ? routes : null;
}

/** The route with its fields flat, and its handlers without subroutes that hold one list of handlers for all requests. */
function plainRoute(value: Json): JsonObject {
  const fields = isObject(value) ? value : {};
  const { handle, match, ...others } = Object.fromEntries(
    Object.entries(fields).map(([key, item]) => [key, flattened(item)]),
  );
  return {
    ...others,
    ...(match === undefined ? {} : { match: oneSet(match) }),
    ...(isArray(handle) ? { handle: handle.flatMap(handlersOf) } : handle === undefined ? {} : { handle }),
  };
}

/** Several sets of which one has to match are one that is not none of them, as a Caddyfile says it. */
function oneSet(match: Json): Json {
  return isArray(match) && match.length > 1 ? [noneOfNone(match)] : match;
}

/** A set that matches where one of several does. */
export function noneOfNone(sets: readonly Json[]): JsonObject {
  return { not: [{ not: sets }] };
}

/** A subroute in a list of handlers is as good as its own handlers, if they are for all requests. */
function handlersOf(handler: Json): readonly Json[] {
  const routes = routesOf(handler);
  if (routes === null) return [handler];
  const all = routes.every((each) => isObject(each) && jsonEqual(Object.keys(each), ['handle']));
  return all ? routes.flatMap((each) => (isObject(each) && isArray(each['handle']) ? each['handle'] : [])) : [handler];
}
