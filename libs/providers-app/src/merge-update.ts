/** Updates a merged configuration after fragments change. Handles the most frequent change, which only affects routes of existing servers. */
import {
  ChunkedList,
  changedRuns,
  isArray,
  isObject,
  listAt,
  objectAt,
  spliceOfLists,
  type Json,
  type JsonObject,
} from '@sluice/base';
import { compareFragments, type KeyedFragment } from './fragment-list.ts';
import { placedOf, type Merged, type Placed, type ProvidedSet } from './merge.ts';
import { addressesOf } from './server-addresses.ts';

/** If more fragments than this have changed, merging all fragments again is faster. */
const manyFragments = 256;

/**
 * Returns the result of merging `after` with the same document. Returns `null` if the change affects more than the routes of existing
 * servers.
 */
export function updateMerged(
  merged: Merged,
  before: readonly ProvidedSet[],
  after: readonly ProvidedSet[],
): Merged | null {
  if (before.length !== after.length) return null;
  const update = new RouteUpdate(merged);
  let count = 0;
  for (const [order, set] of after.entries()) {
    const old = before[order];
    if (old === set) continue;
    if (old?.provider !== set.provider) return null;
    const { removed, added } = changesOf(old, set);
    count += removed.length + added.length;
    if (count > manyFragments) return null;
    const place = (entry: KeyedFragment): Placed => placedOf(set.provider, order, entry);
    const replaced = new Set<KeyedFragment>();
    const byKey = new Map(added.map((entry) => [entry[0], entry]));
    for (const entry of removed) {
      const next = byKey.get(entry[0]);
      if (next !== undefined && update.replace(place(entry), place(next))) replaced.add(next);
      else if (!update.remove(place(entry))) return null;
    }
    for (const entry of added) if (!replaced.has(entry) && !update.add(place(entry))) return null;
  }
  return update.result();
}

function changesOf(before: ProvidedSet, after: ProvidedSet): { removed: KeyedFragment[]; added: KeyedFragment[] } {
  const { start, removed, inserted } = spliceOfLists(before.fragments, after.fragments);
  const old = before.fragments.slice(start, start + removed);
  const next = after.fragments.slice(start, start + inserted);
  const runs = changedRuns(old, next);
  return {
    removed: runs.flatMap((run) => old.slice(run.start, run.start + run.removed)),
    added: runs.flatMap((run) => next.slice(run.at, run.at + run.inserted)),
  };
}

interface ChangedServer {
  readonly routes: Json[];
  owners: ChunkedList<Placed | null>;
}

class RouteUpdate {
  readonly #merged: Merged;
  readonly #changed = new Map<string, ChangedServer>();

  constructor(merged: Merged) {
    this.#merged = merged;
  }

  /**
   * Replaces a fragment's routes with those of its next version, without moving other routes. If the number or position of the routes
   * changes, or if either version has other effects, returns false and changes nothing.
   */
  replace(old: Placed, next: Placed): boolean {
    if (compareFragments(old.entry, next.entry) !== 0) return false;
    const [before, after] = [this.#contributedBy(old), this.#contributedBy(next)];
    if (before === null || after?.size !== before.size) return false;
    for (const [name, routes] of before) if (after.get(name)?.length !== routes.length) return false;
    for (const [name, made] of after) {
      const server = this.#server(name);
      const position = positionOf(server, old);
      for (const [i, route] of made.entries()) server.routes[position + i] = route;
      server.owners = server.owners.replace(
        position,
        made.length,
        made.map(() => next),
      );
    }
    return true;
  }

  /** Removes a fragment's routes. Returns false if the fragment has other effects. */
  remove(placed: Placed): boolean {
    const contributed = this.#contributedBy(placed);
    for (const [name, { length }] of contributed ?? []) {
      const server = this.#server(name);
      const position = positionOf(server, placed);
      server.routes.splice(position, length);
      server.owners = server.owners.replace(position, length, []);
    }
    return contributed !== null;
  }

  /** Adds a fragment's routes. Returns false if the fragment has other effects. */
  add(placed: Placed): boolean {
    const contributed = this.#contributedBy(placed);
    for (const [name, added] of contributed ?? []) {
      const server = this.#server(name);
      const position = positionOf(server, placed);
      server.routes.splice(position, 0, ...added);
      server.owners = server.owners.replace(
        position,
        0,
        added.map(() => placed),
      );
    }
    return contributed !== null;
  }

  result(): Merged | null {
    const { document, routes } = this.#merged;
    const servers: Record<string, Json> = { ...objectAt(document, ['apps', 'http', 'servers']) };
    const owners = new Map(routes);
    for (const [name, changed] of this.#changed) {
      // A server without provided routes is identical to the server in the document.
      if ((changed.owners.at(changed.owners.length - 1) ?? null) === null) return null;
      servers[name] = { ...(servers[name] as JsonObject), routes: changed.routes };
      owners.set(name, changed.owners);
    }
    const apps = objectAt(document, ['apps']);
    const http = { ...objectAt(apps, ['http']), servers };
    return { ...this.#merged, document: { ...document, apps: { ...apps, http } }, routes: owners };
  }

  #server(name: string): ChangedServer {
    const known = this.#changed.get(name);
    if (known !== undefined) return known;
    const { document, routes } = this.#merged;
    const made = {
      routes: listAt(document, ['apps', 'http', 'servers', name, 'routes']).slice(),
      owners: routes.get(name) ?? ChunkedList.of<Placed | null>([]),
    };
    this.#changed.set(name, made);
    return made;
  }

  /** Returns a fragment's routes by server. Returns `null` if the fragment has other effects. */
  #contributedBy(placed: Placed): ReadonlyMap<string, readonly Json[]> | null {
    const [, { config, fallback }] = placed.entry;
    if (fallback !== undefined) return null;
    const contributed = new Map<string, readonly Json[]>();
    const apps = objectAt(config, ['apps']);
    if (Object.keys(apps).some((app) => app !== 'http')) return null;
    for (const server of Object.values(objectAt(apps, ['http', 'servers']))) {
      const name = isObject(server) && hasOnlyRoutes(server) ? this.#targetOf(placed, server) : null;
      if (name === null) return null;
      contributed.set(name, [...(contributed.get(name) ?? []), ...listAt(server, ['routes'])]);
    }
    return contributed;
  }

  /** Returns the server to which a fragment adds routes. Returns `null` if the choice may depend on the fragment itself. */
  #targetOf(placed: Placed, server: JsonObject): string | null {
    const { byAddress, servers, routes } = this.#merged;
    const targets = new Set(addressesOf(server).flatMap((address) => byAddress.get(address) ?? []));
    const [name] = targets;
    if (name === undefined || targets.size > 1 || !routes.has(name)) return null;
    const creator = servers.get(name);
    if (creator === undefined) return name;
    return comparePlaced(creator, placed) < 0 && this.#isSettled(name, server) ? name : null;
  }

  /** Reports whether the first fragment of a server has set all options that another fragment sets. */
  #isSettled(name: string, server: JsonObject): boolean {
    const settled = this.#merged.settled.get(name);
    return Object.keys(server).every((key) => contributions.has(key) || settled?.has(key) === true);
  }
}

function positionOf({ owners }: ChangedServer, placed: Placed): number {
  return owners.lowerBound((owner) => comparePlaced(owner, placed));
}

/** Compares route positions. Routes of the document, which have no fragment, come first. Fallbacks come last. */
function comparePlaced(owner: Placed | null, placed: Placed): number {
  if (owner === null) return -1;
  if (owner.entry[1].fallback !== undefined) return 1;
  return owner.order - placed.order || compareFragments(owner.entry, placed.entry);
}

/** Server properties that are combined with the same properties of other fragments. */
const contributions: ReadonlySet<string> = new Set(['routes', 'errors', 'named_routes', 'tls_connection_policies']);

function hasOnlyRoutes(server: JsonObject): boolean {
  const policies = server['tls_connection_policies'];
  return (
    server['errors'] === undefined &&
    server['named_routes'] === undefined &&
    (!isArray(policies) || policies.length === 0)
  );
}
