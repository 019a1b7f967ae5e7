/** A server or route with requests in flight during a dry run. */
export interface Holder {
  /** Path before the change. `after` is the path after the change, or `null` if the change removes the server or route. */
  readonly path: string;
  readonly after: string | null;
  readonly connections?: number;
  readonly in_flight: number;
}

/** Finds the server or route that contains a module and has requests in flight. */
export class Held {
  readonly #before: ReadonlyMap<string, Holder>;
  readonly #after: ReadonlyMap<string, Holder>;

  constructor(held: readonly Holder[]) {
    this.#before = new Map(held.map((each) => [each.path, each]));
    this.#after = new Map(held.flatMap((each) => (each.after === null ? [] : [[each.after, each] as const])));
  }

  /**
   * Returns the innermost server or route that contains a path and has requests in flight. For modules that the change keeps, pass the path
   * after the change.
   */
  by(path: string, kept: boolean): Holder | null {
    const holders = kept ? this.#after : this.#before;
    for (let at = path; at !== ''; at = outer(at)) {
      const found = holders.get(at);
      if (found !== undefined) return found;
      // Stop at a route that has no requests in flight, because the server's in-flight requests don't use it.
      if (/\.routes\[\d+\]$/.test(at)) return null;
    }
    return null;
  }
}

/** Returns the path of the parent of a value. */
function outer(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
}
