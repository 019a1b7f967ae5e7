/** Generates names of route groups. In a group, only the first matching route runs. */

export class GroupCounter {
  #count = 0;

  /** Returns the next group name: `group0`, `group1`, and so on. */
  next(): string {
    return `group${this.#count++}`;
  }
}
