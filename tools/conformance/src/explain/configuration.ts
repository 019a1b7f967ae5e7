/**
 * Generates configurations with hosts, nested routes, groups and error routes. Each response contains the configuration path of its
 * handler.
 */
import type { Json, JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import { matchersOf } from './matchers.ts';
import { handlersOf } from './handlers.ts';
import { hostOf, mixedCase } from './vocabulary.ts';
import type { World } from './world.ts';

/** Number of routes that do not match a specific host. */
const otherRoutes = 8;

/**
 * Returns a configuration with one server whose routes match the given number of hosts. If a {@link World} is given, the configuration also
 * contains proxies and file servers.
 */
export function configurationOf(random: Random, hosts: number, world: World | null = null): Json {
  const routeOf = (at: string, depth: number): JsonObject => makeRoute(random, at, { depth, world });
  const path = 'apps.http.servers.s';
  const routes: Json[] = [];
  const add = (make: (at: string) => Json): void => {
    routes.push(make(`${path}.routes[${routes.length}]`));
  };
  const few = hosts <= 200;
  for (let i = 0; i < hosts; i++) {
    // If there are many hosts, routes that match no specific host pass most requests on. Requests can then reach the route for their host.
    if (random.chance(otherRoutes / hosts)) add((at) => (few ? routeOf(at, 2) : passingRoute(random, at, world)));
    add((at) => hostRoute(random, at, i, { depth: few ? 2 : 1, world }));
  }
  if (random.chance(0.5)) add((at) => routeOf(at, 1));
  const server: Record<string, Json> = {
    routes,
    named_routes: { shared: { ...routeOf(`${path}.named_routes.shared`, 1), match: [{ path: ['/img/*'] }] } },
  };
  if (random.chance(0.6)) {
    const at = `${path}.errors.routes`;
    server['errors'] = { routes: [0, 1].map((i) => routeOf(`${at}[${i}]`, 1)) };
  }
  return {
    logging: { logs: { default: { writer: { output: 'discard' } } } },
    apps: { http: { servers: { s: server } } },
  };
}

function passingRoute(random: Random, at: string, world: World | null): JsonObject {
  const { handle: _, ...route } = makeRoute(random, at, { depth: 0, world });
  return {
    ...route,
    terminal: false,
    handle: [
      { handler: 'vars', v: '1' },
      { handler: 'invoke', name: 'shared' },
    ],
  };
}

function hostRoute(random: Random, at: string, number: number, place: Place): JsonObject {
  const host = hostOf(number);
  // A wildcard that matches all hosts would leave no requests for other routes.
  const isWildcard = random.chance(host.startsWith('sub') ? 0.2 : 0.003);
  const names = [mixedCase(isWildcard && number > 20 ? host.replace(/^[^.]+/, '*') : host, random)];
  if (random.chance(0.1)) names.push(mixedCase(hostOf(number + 1), random));
  const route = makeRoute(random, at, place);
  const [set = {}] = random.chance(0.3) ? matchersOf(random, 1) : [{}];
  const unique = names.filter(
    (name, i) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === i,
  );
  return { ...route, match: [random.chance(0.5) ? { host: unique, ...set } : { ...set, host: unique }] };
}

/** Maximum nesting depth of routes, and the objects that the routes refer to. */
interface Place {
  readonly depth: number;
  readonly world: World | null;
}

function makeRoute(random: Random, at: string, { depth, world }: Place): JsonObject {
  const inner = (path: string): JsonObject => makeRoute(random, path, { depth: depth - 1, world });
  const route: Record<string, Json> = { handle: handlersOf(random, at, { depth, world, inner }) };
  if (random.chance(0.75)) route['match'] = matchersOf(random, random.integer(1, 2));
  if (random.chance(0.25)) route['group'] = random.pick(['g1', 'g2']);
  if (random.chance(0.15)) route['terminal'] = true;
  return route;
}
