/**
 * Tracks the requests that cannot reach a position because an earlier route ends them. Also considers enclosing lists: a request that
 * cannot reach a list cannot reach its routes either. This rule does not apply if a handler changes the request in between.
 */
import type { Aspect } from '@sluice/http-app';
import type { RequestSet } from '../matcher-set.ts';
import type { RouteModel } from '../model.ts';

/** Request aspects that may have changed. `null` means all aspects. */
export type Changes = ReadonlySet<Aspect> | null;

/** The set of requests whose processing ends at a route. */
export interface Taken {
  readonly set: RequestSet;
  readonly by: RouteModel;
}

const unchanged: Changes = new Set();

type Bucket = Map<string, Map<string, Taken[]>>;

/** The set of requests that end before a position. */
export class Gone {
  readonly #outer: Gone | null;
  /** Aspects that may have changed since the start of the list. Facts about enclosing lists become invalid if they depend on these aspects. */
  #changed: Changes = unchanged;
  /**
   * Sets grouped by the aspects that they depend on, so that a change removes all affected sets together. Most lists contain only one
   * route.
   */
  #taken: Map<string, { readonly reads: ReadonlySet<Aspect>; readonly bucket: Bucket }> | null = null;

  constructor(outer: Gone | null) {
    this.#outer = outer;
  }

  /** Adds a set of requests. Ignores a set that may depend on any aspect. */
  add(taken: Taken): void {
    const { reads, signature, hosts, paths } = taken.set;
    if (reads === null) return;
    this.#taken ??= new Map();
    let group = this.#taken.get(signature);
    if (group === undefined) this.#taken.set(signature, (group = { reads, bucket: new Map() }));
    for (const host of hosts.keys) {
      let byPath = group.bucket.get(host);
      if (byPath === undefined) group.bucket.set(host, (byPath = new Map()));
      for (const path of paths.keys) {
        const there = byPath.get(path);
        if (there === undefined) byPath.set(path, [taken]);
        else there.push(taken);
      }
    }
  }

  /** Returns the route that ends all requests in a set. Returns `null` if no single route certainly ends all of them. */
  takes(set: RequestSet): RouteModel | null {
    return this.#find(set, unchanged);
  }

  /** Removes the sets that depend on changed aspects. */
  change(changes: Changes): void {
    this.#changed = union(this.#changed, changes);
    for (const [signature, { reads }] of this.#taken ?? [])
      if (intersect(changes, reads)) this.#taken?.delete(signature);
  }

  #find(set: RequestSet, since: Changes): RouteModel | null {
    for (const { reads, bucket } of this.#taken?.values() ?? []) {
      if (intersect(since, reads)) continue;
      for (const host of set.hosts.seeks) {
        const byPath = bucket.get(host);
        if (byPath === undefined) continue;
        for (const path of set.paths.seeks) {
          const found = byPath.get(path)?.find((taken) => taken.set.covers(set));
          if (found !== undefined) return found.by;
        }
      }
    }
    return this.#outer === null ? null : this.#outer.#find(set, union(since, this.#changed));
  }
}

export function union(a: Changes, b: Changes): Changes {
  if (a === null || b === null) return null;
  return b.size === 0 ? a : new Set([...a, ...b]);
}

/** Reports whether any of the aspects that were read has changed. */
export function intersect(changes: Changes, reads: ReadonlySet<Aspect>): boolean {
  if (reads.size === 0) return false;
  if (changes === null) return true;
  for (const aspect of changes) if (reads.has(aspect)) return true;
  return false;
}
