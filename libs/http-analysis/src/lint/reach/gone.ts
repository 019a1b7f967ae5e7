/**
 * Requests that can't reach a position, because an earlier route ends them. Includes outer lists: requests that can't
 * reach a list can't reach its routes, unless a handler has changed them in between.
 */
import type { Aspect } from '@sluice/http-app';
import type { RequestSet } from '../matcher-set.ts';
import type { RouteModel } from '../model.ts';

/** Aspects that may have changed; `null` for all. */
export type Changes = ReadonlySet<Aspect> | null;

/** Requests that a route ends. */
export interface Taken {
  readonly set: RequestSet;
  readonly by: RouteModel;
}

const unchanged: Changes = new Set();

type Bucket = Map<string, Map<string, Taken[]>>;

/** Requests that end before a position. */
export class Gone {
  readonly #outer: Gone | null;
  /** Changes since the list was entered. Facts of outer lists that depend on them are no longer valid. */
  #changed: Changes = unchanged;
  /**
   * Grouped by the aspects that sets depend on, so that a change drops all affected sets together. Most lists have one
   * route.
   */
  #taken: Map<string, { readonly reads: ReadonlySet<Aspect>; readonly bucket: Bucket }> | null = null;

  constructor(outer: Gone | null) {
    this.#outer = outer;
  }

  /** Adds a set. Ignores sets that may depend on any aspect. */
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

  /** Returns the route that ends all requests of a set; `null` if no route certainly does. */
  takes(set: RequestSet): RouteModel | null {
    return this.#find(set, unchanged);
  }

  /** Drops sets that depend on changed parts. */
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

/** Returns the combined changes. */
export function union(a: Changes, b: Changes): Changes {
  if (a === null || b === null) return null;
  return b.size === 0 ? a : new Set([...a, ...b]);
}

/** Reports whether any aspect that was read has changed. */
export function intersect(changes: Changes, reads: ReadonlySet<Aspect>): boolean {
  if (reads.size === 0) return false;
  if (changes === null) return true;
  for (const aspect of changes) if (reads.has(aspect)) return true;
  return false;
}
