/** A server or a route with requests in flight, as reported by a dry run. */
export interface Holder {
  /** Current path, and path after the change; `null` if the change removes the object. */
  readonly path: string;
  readonly after: string | null;
  readonly connections?: number;
  readonly in_flight: number;
}

/** Finds the server or route that contains a module. */
export class Held {
  readonly #before: ReadonlyMap<string, Holder>;
  readonly #after: ReadonlyMap<string, Holder>;

  constructor(held: readonly Holder[]) {
    this.#before = new Map(held.map((each) => [each.path, each]));
    this.#after = new Map(held.flatMap((each) => (each.after === null ? [] : [[each.after, each] as const])));
  }

  /** Returns the innermost server or route that contains a path. For kept modules, pass the path after the change. */
  by(path: string, kept: boolean): Holder | null {
    const holders = kept ? this.#after : this.#before;
    for (let at = path; at !== ''; at = outer(at)) {
      const found = holders.get(at);
      if (found !== undefined) return found;
      // The server's requests do not belong to a route without requests.
      if (/\.routes\[\d+\]$/.test(at)) return null;
    }
    return null;
  }
}

/** Returns the parent of a path. */
function outer(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
}
