/** Merges provider fragments into a configuration. The written configuration takes precedence. */
import { ChunkedList, isArray, isObject, listAt, objectAt, own, type Json, type JsonObject } from '@sluice/base';
import { AddressClaims } from './address-claims.ts';
import { connectionPolicies } from './connection-policies.ts';
import type { Fragment } from './contract.ts';
import type { KeyedFragment } from './fragment-list.ts';
import { Layer4Servers } from './layer4-servers.ts';
import { addressesOf } from './server-addresses.ts';

/** Fragments of one provider in order, with route IDs; see {@link withRouteIds}. */
export interface ProvidedSet {
  readonly provider: string;
  readonly fragments: ChunkedList<KeyedFragment>;
}

/** A fragment and its position. Used to find the source object that caused an error. */
export interface Placed {
  readonly provider: string;
  /** Index of the provider in the configuration. */
  readonly order: number;
  readonly entry: KeyedFragment;
}

export function placedOf(provider: string, order: number, entry: KeyedFragment): Placed {
  return { provider, order, entry };
}

export interface Merged {
  readonly document: JsonObject;
  /** Fragment that provided each route, by server name. `null` for routes of the document. */
  readonly routes: ReadonlyMap<string, ChunkedList<Placed | null>>;
  /** First fragment of each server that providers added, by server name. */
  readonly servers: ReadonlyMap<string, Placed>;
  /** Server names by listen address. */
  readonly byAddress: ReadonlyMap<string, string>;
  /** Options that the first fragment set for added servers. Other fragments can't change them. */
  readonly settled: ReadonlyMap<string, ReadonlySet<string>>;
  /** Reasons for omitted fragments, by key, for each provider. */
  readonly conflicts: Conflicts;
}

export type Conflicts = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Adds fragments to a document.
 *
 * - `apps.http.servers`: routes are appended to the server that listens on one of the addresses, after its own routes.
 *   Error routes, named routes and connection policies with a matcher are appended in the same way. If no server listens
 *   there, the server is added with its options and those of later fragments. A fallback comes after all other routes.
 * - `apps.layer4.servers`: routes are appended to the server that listens on one of the addresses. Routes for TLS
 *   connections precede an HTTP server that listens there.
 * - `apps.tls`: certificates and automation policies are added before those of the document.
 * - Other apps are added if the document does not configure them.
 *
 * If both `http` and `layer4` use an address, the document or the earlier fragment gets it; see {@link AddressClaims}.
 */
export function mergeFragments(document: JsonObject, sets: readonly ProvidedSet[]): Merged {
  const merging = new Merging(document);
  const claims = new AddressClaims(document);
  const conflicts = new Map<string, Map<string, string>>();
  for (const [order, { provider, fragments }] of sets.entries()) {
    const omitted = new Map<string, string>();
    for (const entry of fragments) {
      const conflict = claims.add(provider, entry[1]);
      if (conflict === null) merging.add(placedOf(provider, order, entry), entry[1]);
      else omitted.set(entry[0], conflict);
    }
    if (omitted.size > 0) conflicts.set(provider, omitted);
  }
  const merged = merging.document();
  const routes = new Map([...merging.routes].map(([name, owners]) => [name, ChunkedList.of(owners)]));
  const { added, byAddress, settled } = merging;
  return { document: merged, routes, servers: added, byAddress, settled, conflicts };
}

interface Fallback {
  readonly order: string;
  readonly placed: Placed;
  readonly routes: readonly Json[];
}

interface MergedServer {
  readonly name: string;
  /** Server options that the other properties of this object do not contain. */
  readonly base: Record<string, Json>;
  /** True if a provider added the server, that is, the document doesn't contain it. */
  readonly isAdded: boolean;
  fallback: Fallback | null;
  readonly routes: Json[];
  readonly errorRoutes: Json[];
  readonly policies: Json[];
  readonly named: Record<string, Json>;
}

class Merging {
  readonly routes = new Map<string, (Placed | null)[]>();
  readonly added = new Map<string, Placed>();
  readonly byAddress = new Map<string, string>();
  readonly settled = new Map<string, ReadonlySet<string>>();
  readonly #base: JsonObject;
  readonly #servers = new Map<string, MergedServer>();
  readonly #names: Set<string>;
  readonly #layer4: Layer4Servers;
  readonly #certificates = new Map<string, Json[]>();
  readonly #automation: Json[] = [];
  readonly #otherApps: Record<string, Json> = {};

  constructor(document: JsonObject) {
    this.#base = document;
    const servers = objectAt(document, ['apps', 'http', 'servers']);
    this.#names = new Set(Object.keys(servers));
    this.#layer4 = new Layer4Servers(objectAt(document, ['apps', 'layer4', 'servers']));
    for (const [name, server] of Object.entries(servers))
      for (const address of addressesOf(server)) if (!this.byAddress.has(address)) this.byAddress.set(address, name);
  }

  add(placed: Placed, { config, fallback }: Fragment): void {
    for (const [name, app] of Object.entries(objectAt(config, ['apps']))) {
      if (name === 'http') {
        for (const [each, server] of Object.entries(objectAt(app, ['servers'])))
          if (isObject(server)) this.#addServer(placed, each, server, fallback);
      } else if (name === 'layer4') this.#layer4.add(placed.provider, objectAt(app, ['servers']));
      else if (name === 'tls') this.#addTls(app);
      else this.#otherApps[name] ??= app;
    }
  }

  document(): JsonObject {
    const apps = { ...this.#otherApps, ...objectAt(this.#base, ['apps']) };
    this.#layer4.moveTo((address, routes) => this.#precede(address, routes));
    if (this.#servers.size > 0) {
      const http = objectAt(this.#base, ['apps', 'http']);
      const servers = { ...objectAt(http, ['servers']) };
      for (const server of this.#servers.values()) {
        if (server.fallback !== null) this.#addRoutes(server, server.fallback.placed, server.fallback.routes);
        servers[server.name] = written(server);
      }
      apps['http'] = { ...http, servers };
    }
    const layer4 = this.#layer4.servers();
    if (layer4 !== null) apps['layer4'] = { ...objectAt(this.#base, ['apps', 'layer4']), servers: layer4 };
    if (this.#certificates.size > 0 || this.#automation.length > 0) apps['tls'] = this.#tls();
    return { ...this.#base, apps };
  }

  #addServer(placed: Placed, wanted: string, server: JsonObject, fallback: string | undefined): void {
    const addresses = addressesOf(server);
    const name = addresses.map((address) => this.byAddress.get(address)).find((each) => each !== undefined);
    const target = name === undefined ? this.#newServer(placed, wanted, addresses) : this.#server(name);
    const { routes: _routes, errors, named_routes, tls_connection_policies: _policies, ...options } = server;
    if (target.isAdded) for (const [key, value] of Object.entries(options)) target.base[key] ??= value;
    if (name === undefined)
      this.settled.set(target.name, new Set(Object.keys(options).filter((key) => options[key] !== null)));
    const routes = listAt(server, ['routes']);
    if (fallback === undefined) this.#addRoutes(target, placed, routes);
    else if (routes.length > 0 && (target.fallback === null || fallback < target.fallback.order))
      target.fallback = { order: fallback, placed, routes };
    target.errorRoutes.push(...listAt(errors, ['routes']));
    target.policies.push(
      ...listAt(server, ['tls_connection_policies']).filter((each) => isObject(each) && 'match' in each),
    );
    for (const [key, route] of Object.entries(objectAt(named_routes, []))) target.named[key] ??= route;
  }

  #addRoutes(target: MergedServer, placed: Placed, routes: readonly Json[]): void {
    const owners = this.routes.get(target.name) ?? Array.from(target.routes, () => null);
    this.routes.set(target.name, owners);
    for (const route of routes) {
      owners.push(placed);
      target.routes.push(route);
    }
  }

  #newServer(placed: Placed, wanted: string, addresses: readonly string[]): MergedServer {
    let name = this.#names.has(wanted) ? `${placed.provider}_${wanted}` : wanted;
    for (let n = 2; this.#names.has(name); n++) name = `${placed.provider}_${wanted}_${n}`;
    this.#names.add(name);
    this.added.set(name, placed);
    for (const address of addresses) this.byAddress.set(address, name);
    return this.#put(name, {}, true);
  }

  #server(name: string): MergedServer {
    return this.#servers.get(name) ?? this.#put(name, objectAt(this.#base, ['apps', 'http', 'servers', name]), false);
  }

  #put(name: string, base: JsonObject, isAdded: boolean): MergedServer {
    const made = {
      name,
      base: { ...base },
      isAdded,
      fallback: null,
      routes: [...listAt(base, ['routes'])],
      errorRoutes: [],
      policies: [],
      named: {},
    };
    this.#servers.set(name, made);
    return made;
  }

  /** Adds layer 4 routes before the HTTP server on an address. Returns false if no HTTP server uses the address. */
  #precede(address: string, routes: readonly Json[]): boolean {
    const name = this.byAddress.get(address);
    if (name === undefined) return false;
    const { base } = this.#server(name);
    const own = listAt(base, ['listener_wrappers']);
    const wrappers = own.length === 0 ? [{ wrapper: 'tls' }] : own;
    // Listener wrappers before TLS, such as `proxy_protocol`, apply to all connections.
    const index = wrappers.findIndex((each) => isObject(each) && each['wrapper'] === 'tls');
    const before = index < 0 ? wrappers.length : index;
    base['listener_wrappers'] = wrappers.toSpliced(before, 0, { wrapper: 'layer4', routes });
    return true;
  }

  #addTls(app: Json): void {
    for (const [kind, values] of Object.entries(objectAt(app, ['certificates'])))
      if (isArray(values)) this.#certificates.set(kind, [...(this.#certificates.get(kind) ?? []), ...values]);
    this.#automation.push(...listAt(objectAt(app, ['automation']), ['policies']));
  }

  #tls(): JsonObject {
    const tls = objectAt(this.#base, ['apps', 'tls']);
    const certificates = { ...objectAt(tls, ['certificates']) };
    for (const [kind, values] of this.#certificates) certificates[kind] = [...values, ...listAt(certificates, [kind])];
    const automation = objectAt(tls, ['automation']);
    const policies = [...this.#automation, ...listAt(automation, ['policies'])];
    return {
      ...tls,
      ...(Object.keys(certificates).length === 0 ? {} : { certificates }),
      ...(policies.length === 0 ? {} : { automation: { ...automation, policies } }),
    };
  }
}

function written({ base, routes, errorRoutes, policies, named }: MergedServer): JsonObject {
  const errors = objectAt(base, ['errors']);
  return {
    ...base,
    routes,
    ...(errorRoutes.length === 0
      ? {}
      : { errors: { ...errors, routes: [...listAt(errors, ['routes']), ...errorRoutes] } }),
    ...(policies.length === 0
      ? {}
      : { tls_connection_policies: connectionPolicies(policies, listAt(base, ['tls_connection_policies'])) }),
    ...(Object.keys(named).length === 0 ? {} : { named_routes: { ...named, ...objectAt(base, ['named_routes']) } }),
  };
}

/**
 * Adds an `@id` to each route of a fragment that has none: `provider/key`, followed by `#1`, `#2`, … for additional routes. With these IDs,
 * changed routes keep their counters. `explain` also prints the IDs.
 */
export function withRouteIds(provider: string, key: string, fragment: Fragment): Fragment {
  const http = objectAt(fragment.config, ['apps', 'http']);
  if (hasRouteIds(http)) return fragment;
  let count = 0;
  const identified = (route: Json): Json => {
    const id = `${provider}/${key}${count === 0 ? '' : `#${count}`}`;
    count++;
    return isObject(route) && own(route, '@id') === undefined ? { '@id': id, ...route } : route;
  };
  const servers = Object.entries(objectAt(http, ['servers'])).map(([name, server]) => [
    name,
    isObject(server) ? { ...server, routes: listAt(server, ['routes']).map(identified) } : server,
  ]);
  const apps = { ...objectAt(fragment.config, ['apps']), http: { ...http, servers: Object.fromEntries(servers) } };
  return { ...fragment, config: { ...fragment.config, apps } };
}

function hasRouteIds(http: JsonObject): boolean {
  const routes = Object.values(objectAt(http, ['servers'])).flatMap((server) => listAt(server, ['routes']));
  return routes.every((route) => !isObject(route) || own(route, '@id') !== undefined);
}
