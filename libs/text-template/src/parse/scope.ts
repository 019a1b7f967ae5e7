/** Assigns variables to slots during parsing. */

/** The visible variables. The innermost variable is last. */
export class Scope {
  readonly #names: string[] = ['$'];
  readonly #slots: number[] = [0];
  #next = 1;

  /** Number of variable slots that the template requires. */
  get size(): number {
    return this.#next;
  }

  /** Enters a scope. Returns a mark to pass to {@link leave}. */
  enter(): number {
    return this.#names.length;
  }

  /** Leaves a scope: removes the variables declared since `mark`. */
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

  /** Declares an assigned but undeclared variable. As in Go, the assignment compiles but fails at run time. */
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
