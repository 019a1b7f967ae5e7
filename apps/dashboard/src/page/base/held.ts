/** What modules hold: what is under way in the route that they stand in, and connections of the server around them. */

/** A server or a route, as a dry run tells of it. */
export interface Holder {
  /** Where it stands, and where it would; `null`: nowhere. */
  readonly path: string;
  readonly after: string | null;
  readonly connections?: number;
  readonly in_flight: number;
}

/** Finds what holds a module. */
export class Held {
  readonly #before: ReadonlyMap<string, Holder>;
  readonly #after: ReadonlyMap<string, Holder>;

  constructor(held: readonly Holder[]) {
    this.#before = new Map(held.map((each) => [each.path, each]));
    this.#after = new Map(held.flatMap((each) => (each.after === null ? [] : [[each.after, each] as const])));
  }

  /** What is nearest around a place; where a change moves things, a module that is kept stands in its place after that. */
  by(path: string, kept: boolean): Holder | null {
    const holders = kept ? this.#after : this.#before;
    for (let at = path; at !== ''; at = outer(at)) {
      const found = holders.get(at);
      if (found !== undefined) return found;
      // What is under way in a server is not that of a route that has nothing.
      if (/\.routes\[\d+\]$/.test(at)) return null;
    }
    return null;
  }
}

/** The place around a place. */
function outer(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
}
