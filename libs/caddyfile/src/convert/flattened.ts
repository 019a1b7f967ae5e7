/** Flattens nested routes as far as possible, so that nesting does not affect comparisons of documents. */
import { isArray, isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';

/** Returns a copy of the value in which nested routes are flattened as far as possible. */
export function flattened(value: Json): Json {
  if (isArray(value)) {
    return value.length > 0 && value.every(isRoute) ? sitesSorted(value.flatMap(flatRoutes)) : value.map(flattened);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, flattened(item)]));
}

/** Sorts adjacent terminal routes with hosts. Routes with different hosts never match the same request, so their order does not matter. */
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

/**
 * Returns the hosts that a terminal route matches. Returns `null` if the route has host patterns, or if matchers other than the host
 * matcher could select hosts.
 */
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

/** Splits a route without matchers into one route per handler. Replaces subroutes with the routes they contain. */
function flatRoutes(value: Json): readonly Json[] {
  const route = plainRoute(value);
  const { handle, ...others } = route;
  if (Object.keys(others).length > 0 || !isArray(handle)) return [route];
  return handle.flatMap((handler) => routesOf(handler) ?? [{ handle: [handler] }]);
}

/** Returns the routes of a subroute handler. Returns `null` for other handlers. */
function routesOf(handler: Json): readonly Json[] | null {
  if (!isObject(handler)) return null;
  const { handler: name, routes, ...more } = handler;
  return name === 'subroute' && Object.keys(more).length === 0 && isArray(routes) ? routes : null;
}

/** Returns a route with flattened fields. If a subroute contains only handlers without matchers, these handlers replace it. */
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

/** Combines alternative matcher sets into a single set with a double `not`, because a Caddyfile matcher is a single set. */
function oneSet(match: Json): Json {
  return isArray(match) && match.length > 1 ? [noneOfNone(match)] : match;
}

/** Returns a single matcher set that matches if at least one of the given sets matches. Uses a double `not`. */
export function noneOfNone(sets: readonly Json[]): JsonObject {
  return { not: [{ not: sets }] };
}

/** Replaces a subroute in a handler list with its handlers, if its routes match all requests. */
function handlersOf(handler: Json): readonly Json[] {
  const routes = routesOf(handler);
  if (routes === null) return [handler];
  const all = routes.every((each) => isObject(each) && jsonEqual(Object.keys(each), ['handle']));
  return all ? routes.flatMap((each) => (isObject(each) && isArray(each['handle']) ? each['handle'] : [])) : [handler];
}
