/** The variables that a template declares, resolved to slots while it is parsed. */

/** The variables in sight, innermost last. */
export class Scope {
  readonly #names: string[] = ['$'];
  readonly #slots: number[] = [0];
  #next = 1;

  /** Number of slots that the template needs. */
  get size(): number {
    return this.#next;
  }

  /** A place to return to with {@link leave}. */
  enter(): number {
    return this.#names.length;
  }

  /** Forgets what was declared since `mark`. */
  leave(mark: number): void {
    this.#names.length = mark;
    this.#slots.length = mark;
  }

  /** Declares a variable and returns its slot; a declaration of the same name is hidden. */
  declare(name: string): number {
    const slot = this.#next++;
    this.#names.push(name);
    this.#slots.push(slot);
    return slot;
  }

  /** An assignment to a name that was never declared passes here and fails when it runs, as in Go. */
  assume(name: string): void {
    this.#names.push(name);
    this.#slots.push(-1);
  }

  /** The slot of a variable, null where there is none of that name. */
  slotOf(name: string): number | null {
    const index = this.#names.lastIndexOf(name);
    return index === -1 ? null : (this.#slots[index] ?? null);
  }
}
