/** Names of groups of routes, of which only the first that matches runs. */

/** Counts through a whole file. */
export class GroupCounter {
  #count = 0;

  /** The next name: `group0`, `group1` … */
  next(): string {
    return `group${this.#count++}`;
  }
}
