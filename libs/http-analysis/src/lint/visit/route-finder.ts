/** Finds the routes in a long list that may match a request by host. Skips all other routes without evaluating them. */
import { itemAt } from '@sluice/base';
import type { RequestSet } from '../matcher-set.ts';
import type { RouteModel } from '../model.ts';

/** Minimum number of routes in an indexed list. */
const minLength = 32;

/** Index of routes by host. Always finds every route that may match. */
export class RouteFinder {
  readonly #routes: readonly RouteModel[];
  readonly #byHost: ReadonlyMap<string, readonly number[]> | null;

  constructor(routes: readonly RouteModel[]) {
    this.#routes = routes;
    this.#byHost = routes.length < minLength ? null : indexOf(routes);
  }

  /** Returns the routes that may match, in order. */
  find(point: RequestSet): readonly RouteModel[] {
    if (this.#byHost === null) return this.#routes;
    const found = new Set<number>();
    for (const key of point.hosts.seeks) for (const index of this.#byHost.get(key) ?? []) found.add(index);
    return [...found].sort((a, b) => a - b).map((index) => itemAt(this.#routes, index));
  }
}

function indexOf(routes: readonly RouteModel[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  const add = (key: string, at: number): void => {
    const there = index.get(key);
    if (there === undefined) index.set(key, [at]);
    else if (there.at(-1) !== at) there.push(at);
  };
  for (const [at, { sets }] of routes.entries()) {
    if (sets.length === 0) add(anyHost, at);
    for (const { hosts } of sets) for (const key of hosts.keys) add(key, at);
  }
  return index;
}

/** Index key of sets without a host; see `RequestSet.hosts`. */
const anyHost = '*any';
