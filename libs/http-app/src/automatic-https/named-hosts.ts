/** Collects the host names in the host matchers of a server's routes. Does not search nested routes. */
import {
  compileTemplate,
  insertedBy,
  isObject,
  resolveGlobal,
  spliceOf,
  type Json,
  type JsonArray,
} from '@sluice/base';
import { NameSet } from '@sluice/contracts';

/** Caches host names for each route. When one of ten thousand routes changes, only that route is examined. */
export class NamedHosts {
  readonly names: NameSet;
  readonly #routes: JsonArray;

  private constructor(routes: JsonArray, names: NameSet) {
    this.#routes = routes;
    this.names = names;
  }

  static of(routes: JsonArray, before: NamedHosts | null): NamedHosts {
    if (before === null) return new NamedHosts(routes, NameSet.of(routes.flatMap(hostsOf)));
    if (before.#routes === routes) return before;
    const splice = spliceOf(before.#routes, routes);
    const inverse = { ...splice, removed: splice.inserted, inserted: splice.removed };
    return new NamedHosts(
      routes,
      before.names.with(
        insertedBy(splice, before.#routes, routes).flatMap(hostsOf),
        insertedBy(inverse, routes, before.#routes).flatMap(hostsOf),
      ),
    );
  }
}

/** Cache the names of each route. When the route is removed, the same names are removed even if a placeholder value has changed. */
const found = new WeakMap<object, readonly string[]>();

function hostsOf(route: Json): readonly string[] {
  if (!isObject(route)) return [];
  let hosts = found.get(route);
  if (hosts === undefined) {
    const sets = Array.isArray(route.match) ? (route.match as JsonArray) : [];
    found.set(route, (hosts = [...new Set(sets.flatMap(hostsOfSet))]));
  }
  return hosts;
}

function hostsOfSet(set: Json): string[] {
  const list = isObject(set) ? set.host : null;
  if (!Array.isArray(list)) return [];
  return (list as JsonArray).flatMap((each) => (typeof each === 'string' ? [expand(each).toLowerCase()] : []));
}

function expand(text: string): string {
  return text.includes('{') ? compileTemplate<null>(text, resolveGlobal, 'empty').expand(null) : text;
}
