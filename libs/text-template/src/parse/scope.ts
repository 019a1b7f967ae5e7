/** Resolves variables to slots during parsing. */

/** The visible variables, innermost last. */
export class Scope {
  readonly #names: string[] = ['$'];
  readonly #slots: number[] = [0];
  #next = 1;

  /** Number of slots that the template needs. */
  get size(): number {
    return this.#next;
  }

  /** Returns a mark for {@link leave}. */
  enter(): number {
    return this.#names.length;
  }

  /** Removes the variables declared since `mark`. */
  leave(mark: number): void {
    this.#names.length = mark;
    this.#slots.length = mark;
  }

  /** Declares a variable and returns its slot. Shadows earlier variables with the same name. */
  declare(name: string): number {
    const slot = this.#next++;
    this.#names.push(name);
    this.#slots.push(slot);
    return slot;
  }

  /** As in Go, an assignment to an undeclared variable compiles, but fails at run time. */
  assume(name: string): void {
    this.#names.push(name);
    this.#slots.push(-1);
  }

  /** Returns the slot of a variable, or null if the variable is not declared. */
  slotOf(name: string): number | null {
    const index = this.#names.lastIndexOf(name);
    return index === -1 ? null : (this.#slots[index] ?? null);
  }
}
