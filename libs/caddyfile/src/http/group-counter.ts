/** Generates names of route groups. Only the first matching route of a group runs. */

export class GroupCounter {
  #count = 0;

  /** Returns the next name: `group0`, `group1` … */
  next(): string {
    return `group${this.#count++}`;
  }
}
