/** Parts of a Caddyfile: global options, named routes, and sites. */
import { isObject, type Json } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import { listAt, objectAt, serversOf, valueAt } from '../inverse/json-parts.ts';
import type { Line, Written } from '../inverse/written.ts';
import type { Inverses } from './inverses.ts';
import type { OrderHints } from './order-hints.ts';
import { Paths } from './paths.ts';
import { inReadOrder, numbersOf } from './read-order.ts';
import { RouteWriter, type Shared } from './route-writer.ts';
import { joinedSites } from './joined-sites.ts';
import { sitesOf, type SiteDraft } from './sites.ts';
import type { Parts } from './text.ts';
import { Trials } from './trial.ts';
import { withoutIds } from './without-ids.ts';

/** A JSON document and the data for writing it as a Caddyfile. */
export interface Source {
  readonly document: Json;
  readonly registry: Registry;
  readonly file: string;
  readonly inverses: Inverses;
  readonly hints: OrderHints;
  /** True to write identical sites of different servers as a single site. */
  readonly join: boolean;
}

export async function writeParts(source: Source, order: readonly Line[]): Promise<Parts> {
  const { registry, file, inverses, hints } = source;
  const document = withoutIds(source.document);
  const routes = namedRoutesOf(document);
  const trials = new Trials({ registry, file, order, namedRoutes: [...routes.keys()] });
  const shared: Shared = { file, inverses, hints, trials, paths: new Paths(document) };
  const globals = [...order];
  for (const [name, write] of await inverses.options()) {
    const written = await write(document, new RouteWriter(shared));
    for (const each of written ?? []) globals.push(named(name, each));
  }
  const lines: Line[] = [];
  for (const [name, route] of routes) lines.push(await writeNamedRoute(name, route, new RouteWriter(shared)));
  const sites: Line[] = [];
  const drafts = sitesOf(document);
  for (const site of source.join ? joinedSites(drafts) : drafts) {
    sites.push(await writeSite(site, document, new RouteWriter(shared), inverses));
  }
  return { globals, named: lines, sites: [...readInOrder(sites), ...siteForAll(document)] };
}

/** Returns an optional empty catch-all site. If this site exists, the adapter omits policies without settings. The site has no other effect. */
function siteForAll(document: Json): readonly Line[] {
  const policies = listAt(document, ['apps', 'tls', 'automation', 'policies']);
  const isShown = policies.length > 0 && policies.every((policy) => listAt(policy, ['subjects']).length > 0);
  const port = valueAt(document, ['apps', 'http', 'https_port']) ?? 443;
  return isShown ? [{ words: [`:${String(port)}`], block: [], doubtful: 'out' }] : [];
}

/** Sorts sites, and the lines within each site, in the order in which the adapter parsed them. */
function readInOrder(sites: readonly Line[]): readonly Line[] {
  let next = 0;
  return inReadOrder(sites, 0).map((site) => {
    const block = inReadOrder(site.block ?? [], next);
    next += numbersOf(block).count;
    return { ...site, block };
  });
}

function named(name: string, { words = [], block, doubtful }: Written): Line {
  return {
    words: [name, ...words],
    ...(block === undefined ? {} : { block }),
    ...(doubtful === undefined ? {} : { doubtful }),
  };
}

/** Returns the named routes of all servers. */
function namedRoutesOf(document: Json): ReadonlyMap<string, Json> {
  const routes = new Map<string, Json>();
  for (const [, server] of serversOf(document)) {
    for (const [name, route] of Object.entries(objectAt(server, ['named_routes']))) {
      if (!routes.has(name)) routes.set(name, route);
    }
  }
  return routes;
}

/** Writes a named route as `&(name) { … }`. The block contains the routes of the subroute, or the handler if there is only one. */
async function writeNamedRoute(name: string, route: Json, writer: RouteWriter): Promise<Line> {
  const handle = listAt(route, ['handle']);
  const [only] = handle;
  const routes =
    handle.length === 1 && isObject(only) && only['handler'] === 'subroute' ? listAt(only, ['routes']) : [];
  const [first, ...more] = routes;
  // The adapter writes a single route without matchers directly, not as a subroute.
  const isPlain =
    first === undefined || (more.length === 0 && isObject(first) && Object.keys(first).join() === 'handle');
  const lines = await writer.routes(isPlain ? [route] : routes, true);
  return { words: [`&(${name})`], block: [...writer.definitions(lines), ...lines] };
}

async function writeSite(site: SiteDraft, document: Json, writer: RouteWriter, inverses: Inverses): Promise<Line> {
  const words = site.addresses.map((address, at) => (at < site.addresses.length - 1 ? `${address},` : address));
  const routes = await writer.routes(site.routes, true);
  const settings: Line[] = [];
  const blocks: Line[] = [];
  for (const [name, write] of await inverses.sites()) {
    for (const each of (await write(site, document, writer)) ?? []) {
      // Blocks that contain routes come after the site's own routes.
      if (each.routes === undefined) settings.push(named(name, each));
      else blocks.push(await writer.numbered(named(name, each), each.routes));
    }
  }
  const lines = [...routes, ...blocks];
  return { words, block: [...settings, ...writer.definitions(lines), ...lines], numbers: numbersOf(lines) };
}
