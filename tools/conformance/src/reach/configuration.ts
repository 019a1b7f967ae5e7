/** Generates configurations with many unreachable routes. Some routes are unreachable because other routes handle their requests. */
import type { Json, JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import { handlersInto } from './detour.ts';
import { handlersOf } from './handlers.ts';
import { matchOf, narrowed } from './matchers.ts';

/** Schemes of the connections that a server accepts. A real server never accepts `both`. */
export type Scheme = 'http' | 'https' | 'both';

/** Generates a configuration with the server `s`, which listens on the given addresses. */
export function configurationOf(random: Random, scheme: Scheme, listen: readonly string[] = []): Json {
  const server: Record<string, Json> = {
    ...(listen.length === 0 ? {} : { listen }),
    routes: routesOf(random, 0, random.integer(2, 7)),
    errors: { routes: errorRoutesOf(random) },
    // The second named route never invokes the first, and neither invokes itself, so there is no recursion.
    named_routes: {
      n: namedRoute(random, /"name":"n"/g, '"name":"m"'),
      m: namedRoute(random, /"invoke","name":"[nm]"/g, '"vars","v":"1"'),
    },
    automatic_https: { disable: true },
  };
  if (scheme === 'https') server['tls_connection_policies'] = [{}];
  if (random.chance(0.3)) server['trusted_proxies'] = { source: 'static', ranges: ['127.0.0.1'] };
  return {
    logging: { logs: { default: { writer: { output: 'discard' } } } },
    apps: { http: { servers: { s: server } } },
  };
}

function namedRoute(random: Random, invoked: RegExp, other: string): JsonObject {
  const [route] = routesOf(random, 2, 1);
  return JSON.parse(JSON.stringify({ ...route, group: '' }).replaceAll(invoked, other)) as JsonObject;
}

/** Generates routes. `around` is the matcher set that all requests for these routes match, if there is exactly one. */
function routesOf(random: Random, depth: number, count: number, around: Json = null): JsonObject[] {
  const routes: JsonObject[] = [];
  for (let left = count; left > 0; left--) {
    const taken = takenIn(routes);
    const [other] = random.some(taken, 1);
    if (other !== undefined && random.chance(0.2)) routes.push(...detour(random, other));
    const match = other === undefined ? matchOrNone(random, around) : [narrowed(random, other)];
    const within = match?.length === 1 ? match[0] : null;
    const nesting = { depth, routes: (inner: number) => routesOf(random, depth + 1, inner, within) };
    routes.push(routeOf(random, match, handlersOf(random, nesting)));
  }
  return routes;
}

/**
 * Generates a route that handles requests matching a set, and a route that rewrites other requests to match that set. A lint check that
 * ignores the second route would wrongly report later routes as unreachable.
 */
function detour(random: Random, set: JsonObject): JsonObject[] {
  const taking = { match: [set], handle: [{ handler: 'static_response' }] };
  return random.chance(0.3) ? [{ handle: handlersInto(random, set) }] : [taking, { handle: handlersInto(random, set) }];
}

function routeOf(random: Random, match: readonly Json[] | null, handle: readonly Json[]): JsonObject {
  return {
    ...(match === null ? {} : { match }),
    ...(random.chance(0.3) ? { group: random.pick(['g', 'h']) } : {}),
    ...(random.chance(0.25) ? { terminal: true } : {}),
    handle,
  };
}

/** Returns the matcher sets of the routes. Later routes often reuse or narrow them. */
function takenIn(routes: readonly JsonObject[]): readonly JsonObject[] {
  return routes.flatMap(({ match }) => (Array.isArray(match) ? (match as JsonObject[]) : []));
}

function matchOrNone(random: Random, around: Json): readonly Json[] | null {
  if (around !== null && random.chance(0.1)) return [{ not: [around] }];
  return random.chance(0.1) ? null : matchOf(random);
}

function errorRoutesOf(random: Random): JsonObject[] {
  return routesOf(random, 1, random.integer(0, 3)).map((route) => {
    if (random.chance(0.5)) return route;
    const status = random.pick(['== 404', '== 503', 'in [403, 418]', '== 418']);
    return { ...route, match: [{ expression: `{http.error.status_code} ${status}` }] };
  });
}
