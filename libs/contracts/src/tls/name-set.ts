/** Sets of host names for configurations with tens of thousands of names. A change usually adds or removes only a few names. */
import { LayeredMap } from '@sluice/base';

/** Object that identifies a set without keeping the set in memory. */
type Identity = object;

/**
 * An immutable multiset of names; {@link with} returns a new multiset. The cost of a change is proportional to the difference, which the
 * new set records.
 *
 * A name that was added twice must be removed twice.
 */
export class NameSet implements Iterable<string> {
  /** Names that this set contains but its base set does not. The base set is the set from which this set was derived in one step. */
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

  static of(names: Iterable<string>): NameSet {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return new NameSet(new LayeredMap(counts), [...counts.keys()], [], null);
  }

  get size(): number {
    return this.#counts.size;
  }

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  /** Reports whether this set was derived from `other` in one step. In this case, {@link added} and {@link removed} contain the difference. */
  isMadeOf(other: NameSet): boolean {
    return this.#madeOf === other.#identity;
  }

  /** Returns a set with some names added and others removed. Returns this set if there is no difference. */
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
   * Returns the names for which `keeps` returns true.
   *
   * `before` is the filter result for the base set of this set. If `before` is given, the filter runs only for the names that differ.
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
