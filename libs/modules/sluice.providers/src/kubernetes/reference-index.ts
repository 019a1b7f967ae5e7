const none: ReadonlySet<string> = new Set();

/** Index of dependencies between objects. Finds the dependents of a changed object without visiting all objects. */
export class ReferenceIndex {
  readonly #targets = new Map<string, ReadonlySet<string>>();
  readonly #dependents = new Map<string, Set<string>>();

  set(dependent: string, targets: ReadonlySet<string>): void {
    const previous = this.#targets.get(dependent);
    for (const target of previous ?? []) if (!targets.has(target)) this.#remove(target, dependent);
    for (const target of targets) {
      const known = this.#dependents.get(target);
      if (known === undefined) this.#dependents.set(target, new Set([dependent]));
      else known.add(dependent);
    }
    if (targets.size === 0) this.#targets.delete(dependent);
    else this.#targets.set(dependent, targets);
  }

  targetsOf(dependent: string): ReadonlySet<string> {
    return this.#targets.get(dependent) ?? none;
  }

  dependentsOf(target: string): ReadonlySet<string> {
    return this.#dependents.get(target) ?? none;
  }

  #remove(target: string, dependent: string): void {
    const known = this.#dependents.get(target);
    known?.delete(dependent);
    if (known?.size === 0) this.#dependents.delete(target);
  }
}
