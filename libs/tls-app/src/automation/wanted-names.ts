/** Names that require certificates, by owner, and the wildcards among them. */
import { wildcardsOf } from '../certificates/names.ts';

/** Owner of the names that the configuration automates explicitly. These names get certificates of their own. */
export const automateOwner = 'tls';

export class WantedNames {
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #wildcards = new Set<string>();

  get isEmpty(): boolean {
    return this.#byOwner.size === 0;
  }

  of(owner: string): ReadonlySet<string> {
    return this.#byOwner.get(owner) ?? noNames;
  }

  /** Yields all names. A name that several owners require is yielded once per owner. */
  *all(): Generator<string> {
    for (const names of this.#byOwner.values()) yield* names;
  }

  has(name: string): boolean {
    for (const names of this.#byOwner.values()) if (names.has(name)) return true;
    return false;
  }

  /** Returns the required wildcards that cover a name, excluding the name itself. */
  wildcardsFor(name: string): readonly string[] {
    if (this.#wildcards.size === 0) return [];
    return wildcardsOf(name).filter((wildcard) => wildcard !== name && this.#wildcards.has(wildcard));
  }

  /** Updates the names that an owner requires. Returns true if a wildcard was added or removed. */
  change(owner: string, added: readonly string[], removed: readonly string[]): boolean {
    let names = this.#byOwner.get(owner);
    if (names === undefined) this.#byOwner.set(owner, (names = new Set()));
    for (const name of removed) names.delete(name);
    for (const name of added) names.add(name);
    if (names.size === 0) this.#byOwner.delete(owner);
    const wildcards = [...added, ...removed].filter((name) => name.startsWith('*'));
    for (const wildcard of wildcards)
      if (this.has(wildcard)) this.#wildcards.add(wildcard);
      else this.#wildcards.delete(wildcard);
    return wildcards.length > 0;
  }

  clear(): void {
    this.#byOwner.clear();
    this.#wildcards.clear();
  }
}

const noNames: ReadonlySet<string> = new Set();
