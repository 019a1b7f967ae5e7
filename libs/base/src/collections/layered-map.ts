/** A map for compiled indexes that are changed often and by little, such as routes by host. */

/** Stands in an overlay for a key of the base that was removed. */
const removed = Symbol('removed');

type Overlay<K, V> = ReadonlyMap<K, V | typeof removed>;

/**
 * A map that is never changed: {@link with} makes another one. Both share a large base; what differs is in a small overlay,
 * which is folded into a new base when it has more than max(32, √size) entries.
 *
 * A look-up costs one in a `Map`, and a second one only while the overlay is not empty; it allocates nothing. A change costs
 * O(√size) amortised: copying the overlay, and the base once in √size changes. A value is never `undefined`.
 */
export class LayeredMap<K, V> {
  #base: ReadonlyMap<K, V>;
  #overlay: Overlay<K, V> = new Map();
  #size: number;

  /** `base` becomes part of the map and must not be changed any more. */
  constructor(base: ReadonlyMap<K, V> = new Map()) {
    this.#base = base;
    this.#size = base.size;
  }

  /** The number of entries. */
  get size(): number {
    return this.#size;
  }

  /** The value of a key, `undefined` if there is none. */
  get(key: K): V | undefined {
    if (this.#overlay.size > 0) {
      const value = this.#overlay.get(key);
      if (value !== undefined) return value === removed ? undefined : value;
    }
    return this.#base.get(key);
  }

  /** True if the key has a value. */
  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  /** A map in which some keys are set, or removed by `undefined`. Of several changes of one key the last counts. */
  with(changes: Iterable<readonly [K, V | undefined]>): LayeredMap<K, V> {
    const overlay = new Map(this.#overlay);
    const next = new LayeredMap(this.#base);
    next.#overlay = overlay;
    next.#size = this.#size;
    for (const [key, value] of changes) {
      next.#size += Number(value !== undefined) - Number(next.has(key));
      if (value !== undefined) overlay.set(key, value);
      else if (this.#base.has(key)) overlay.set(key, removed);
      else overlay.delete(key);
    }
    return overlay.size > Math.max(32, Math.sqrt(next.#size)) ? new LayeredMap(next.#folded()) : next;
  }

  /** Base and overlay in one. The base is copied as a whole: an iteration would make two objects for each entry. */
  #folded(): Map<K, V> {
    const map = new Map(this.#base);
    for (const [key, value] of this.#overlay)
      if (value === removed) map.delete(key);
      else map.set(key, value);
    return map;
  }

  /** All entries, in no particular order. */
  *[Symbol.iterator](): IterableIterator<[K, V]> {
    for (const entry of this.#base) if (!this.#overlay.has(entry[0])) yield entry;
    for (const [key, value] of this.#overlay) if (value !== removed) yield [key, value];
  }
}
