/** Names that certificates are wanted for, by those who want them, and the wildcards among them. */
import { wildcardsOf } from '../certificates/names.ts';

/** The owner of the names that a configuration lists to be automated; they have certificates of their own. */
export const automateOwner = 'tls';

/** What each owner wants. */
export class WantedNames {
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #wildcards = new Set<string>();

  get isEmpty(): boolean {
    return this.#byOwner.size === 0;
  }

  /** The names of one owner. */
  of(owner: string): ReadonlySet<string> {
    return this.#byOwner.get(owner) ?? noNames;
  }

  /** All names; those that several owners want come several times. */
  *all(): Generator<string> {
    for (const names of this.#byOwner.values()) yield* names;
  }

  /** Whether an owner wants a name. */
  has(name: string): boolean {
    for (const names of this.#byOwner.values()) if (names.has(name)) return true;
    return false;
  }

  /** The other wanted names that are wildcards for this one. */
  wildcardsFor(name: string): readonly string[] {
    if (this.#wildcards.size === 0) return [];
    return wildcardsOf(name).filter((wildcard) => wildcard !== name && this.#wildcards.has(wildcard));
  }

  /** Changes what an owner wants. Returns whether wildcards have come or gone. */
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
