/** Sets of host names that follow a configuration: ten thousand names, of which a change adds or drops one. */
import { LayeredMap } from '@sluice/base';

/** What tells a set from others, without keeping it alive. */
type Identity = object;

/**
 * A set that is never changed: {@link with} makes the next one, at the cost of the difference, and it knows the difference
 * to the one that it was made of. A name that was added twice has to be removed twice.
 */
export class NameSet implements Iterable<string> {
  /** What was added to, and removed from, the set that this one was made of. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly #counts: LayeredMap<string, number>;
  readonly #identity: Identity = {};
  readonly #madeOf: Identity | null;

  private constructor(
    counts: LayeredMap<string, number>,
    added: readonly string[],
    removed: readonly string[],
    madeOf: Identity | null,
  ) {
    this.#counts = counts;
    this.added = added;
    this.removed = removed;
    this.#madeOf = madeOf;
  }

  /** A set of these names. */
  static of(names: Iterable<string>): NameSet {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return new NameSet(new LayeredMap(counts), [...counts.keys()], [], null);
  }

  /** How many names there are. */
  get size(): number {
    return this.#counts.size;
  }

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  /** Whether this set was made of `other` in one step, so that {@link added} and {@link removed} distinguish them. */
  isMadeOf(other: NameSet): boolean {
    return this.#madeOf === other.#identity;
  }

  /** A set without some names and with others; the very same one if nothing comes of it. */
  with(added: Iterable<string>, removed: Iterable<string>): NameSet {
    const counts = new Map<string, number>();
    const countOf = (name: string): number => counts.get(name) ?? this.#counts.get(name) ?? 0;
    for (const name of removed) counts.set(name, Math.max(0, countOf(name) - 1));
    for (const name of added) counts.set(name, countOf(name) + 1);
    const changes = [...counts].filter(([name, count]) => count !== (this.#counts.get(name) ?? 0));
    if (changes.length === 0) return this;
    const names = (wanted: (before: number, now: number) => boolean): string[] =>
      changes.filter(([name, count]) => wanted(this.#counts.get(name) ?? 0, count)).map(([name]) => name);
    return new NameSet(
      this.#counts.with(changes.map(([name, count]) => [name, count === 0 ? undefined : count])),
      names((before) => before === 0),
      names((_, now) => now === 0),
      this.#identity,
    );
  }

  /**
   * The names that `keeps` says yes to. `before` is what the same filter made of the set that this one was made of, if
   * there was one: then only the difference is looked at.
   */
  filtered(keeps: (name: string) => boolean, before: { readonly of: NameSet; readonly is: NameSet } | null): NameSet {
    if (before !== null && before.of === this) return before.is;
    if (before !== null && this.isMadeOf(before.of))
      return before.is.with(this.added.filter(keeps), this.removed.filter(keeps));
    return NameSet.of([...this].filter(keeps));
  }

  *[Symbol.iterator](): IterableIterator<string> {
    for (const [name] of this.#counts) yield name;
  }
}
