/**
 * Requests that cannot get to a place, as a route before it takes them. Lists look into those around them: what cannot get
 * to a list cannot get to its routes, unless something on the way has changed it since.
 */
import type { Aspect } from '@sluice/http-app';
import type { RequestSet } from '../matcher-set.ts';
import type { RouteModel } from '../model.ts';

/** The aspects that something may have changed; `null` for all. */
export type Changes = ReadonlySet<Aspect> | null;

/** Requests that a route takes. */
export interface Taken {
  readonly set: RequestSet;
  readonly by: RouteModel;
}

const unchanged: Changes = new Set();

type Bucket = Map<string, Map<string, Taken[]>>;

/** What is taken on the way to a place. */
export class Gone {
  readonly #outer: Gone | null;
  /** What has changed since the list was entered: what is known outside counts no more where it depends on that. */
  #changed: Changes = unchanged;
  /** By what the sets depend on, so that a change drops all that it makes stale at once. Most lists are of one route. */
  #taken: Map<string, { readonly reads: ReadonlySet<Aspect>; readonly bucket: Bucket }> | null = null;

  constructor(outer: Gone | null) {
    this.#outer = outer;
  }

  /** Has a set be taken. One that may depend on anything cannot be reasoned about, and is left out. */
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

  /** Who takes all requests of a set; `null` if that is sure of none. */
  takes(set: RequestSet): RouteModel | null {
    return this.#find(set, unchanged);
  }

  /** Forgets what depends on something that may have changed. */
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

/** What either may have changed. */
export function union(a: Changes, b: Changes): Changes {
  if (a === null || b === null) return null;
  return b.size === 0 ? a : new Set([...a, ...b]);
}

/** Whether something that was changed is read. What reads nothing cannot become stale. */
export function intersect(changes: Changes, reads: ReadonlySet<Aspect>): boolean {
  if (reads.size === 0) return false;
  if (changes === null) return true;
  for (const aspect of changes) if (reads.has(aspect)) return true;
  return false;
}
