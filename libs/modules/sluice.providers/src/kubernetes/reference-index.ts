const none: ReadonlySet<string> = new Set();

/**
 * Index of dependencies between objects. It finds the objects that depend on a changed object. Most objects have one dependent and few
 * dependencies. To save memory, a single dependent is stored as a string, and dependencies are stored as an array.
 */
export class ReferenceIndex {
  readonly #targets = new Map<string, readonly string[]>();
  readonly #dependents = new Map<string, string | Set<string>>();

  set(dependent: string, targets: ReadonlySet<string>): void {
    for (const target of this.targetsOf(dependent)) if (!targets.has(target)) this.#remove(target, dependent);
    for (const target of targets) this.#add(target, dependent);
    if (targets.size === 0) this.#targets.delete(dependent);
    else this.#targets.set(dependent, [...targets]);
  }

  targetsOf(dependent: string): readonly string[] {
    return this.#targets.get(dependent) ?? [];
  }

  dependentsOf(target: string): ReadonlySet<string> {
    const known = this.#dependents.get(target) ?? none;
    return typeof known === 'string' ? new Set([known]) : known;
  }

  #add(target: string, dependent: string): void {
    const known = this.#dependents.get(target);
    if (known === undefined) this.#dependents.set(target, dependent);
    else if (typeof known !== 'string') known.add(dependent);
    else if (known !== dependent) this.#dependents.set(target, new Set([known, dependent]));
  }

  #remove(target: string, dependent: string): void {
    const known = this.#dependents.get(target);
    if (known === dependent) this.#dependents.delete(target);
    else if (typeof known === 'object') {
      known.delete(dependent);
      if (known.size === 0) this.#dependents.delete(target);
    }
  }
}
