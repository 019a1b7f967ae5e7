/** Named routes in the form `&(name) { … }`. Sites run them with the `invoke` directive. */
import { caddyfileError } from '../errors.ts';
import type { CaddyfileToken } from '../token.ts';
import type { ServerBlock } from '../parser/site.ts';
import type { RouteConfig } from './config-value.ts';
import { DirectiveReader, type Assembly } from './directive-reader.ts';
import { GroupCounter } from './group-counter.ts';
import { subrouteHandler } from './subroute.ts';

/** Key in the site state where `invoke` stores the set of invoked route names. */
export const invokedRoutes = 'invoked routes';

/** A named route, and the names of other named routes that it invokes. */
export interface NamedRoute {
  readonly route: RouteConfig;
  readonly invokes: ReadonlySet<string>;
}

export function readNamedRoutes(blocks: readonly ServerBlock[], assembly: Assembly): Map<string, NamedRoute> {
  const routes = new Map<string, NamedRoute>();
  // Group names in named routes are numbered separately.
  const apart = { ...assembly, groups: new GroupCounter() };
  for (const block of blocks) {
    const [key] = block.keys;
    if (!block.namedRoute || key === undefined) continue;
    const name = key.text;
    if (routes.has(name)) throw caddyfileError(`cannot have duplicate named_routes: ${name}`, undefined, key);
    routes.set(name, readRoute(key, block, apart));
  }
  return routes;
}

function readRoute(key: CaddyfileToken, { segments }: ServerBlock, assembly: Assembly): NamedRoute {
  const invokes = new Set<string>();
  const state = new Map<string, unknown>([[invokedRoutes, invokes]]);
  const reader = new DirectiveReader([key, ...segments.flat()], {
    assembly,
    addresses: [],
    matchers: new Map(),
    state,
  });
  reader.next();
  const routes = reader.routesOf(reader.readSegments(segments), true);
  const [only] = routes;
  const plain = routes.length === 1 && only?.match === undefined;
  // As in Caddy, if a single route contains several handlers, use only the first handler.
  const handle = plain ? (only?.handle ?? []).slice(0, 1) : [subrouteHandler(routes)];
  return { route: { handle }, invokes };
}

/** Returns the named routes that a site invokes directly or indirectly. `placeOf` returns the position at which the site invokes a route. */
export function neededRoutes(
  used: Iterable<string>,
  all: ReadonlyMap<string, NamedRoute>,
  placeOf: (name: string) => CaddyfileToken | undefined,
): Map<string, RouteConfig> {
  const needed = new Map<string, RouteConfig>();
  const waiting = [...used];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (needed.has(name)) continue;
    const found = all.get(name);
    if (found === undefined)
      throw caddyfileError(`cannot invoke named route '${name}', which was not defined`, undefined, placeOf(name));
    needed.set(name, found.route);
    waiting.push(...found.invokes);
  }
  return needed;
}
