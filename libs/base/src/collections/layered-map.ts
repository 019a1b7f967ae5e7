/** A persistent map for compiled indexes with frequent small changes, such as routes indexed by host. */

/** Marker value in an overlay for a key that was removed from the base map. */
const removed = Symbol('removed');

type Overlay<K, V> = ReadonlyMap<K, V | typeof removed>;

/**
 * An immutable map; {@link with} returns a new map. Both maps share a large base map, and each map keeps its differences in a small
 * overlay. When the overlay exceeds max(32, √size) entries, base and overlay are merged into a new base map.
 *
 * A lookup performs one `Map` lookup, or two if the overlay is not empty. Lookups don't allocate memory. A change has amortized cost
 * O(√size).
 *
 * Values are never `undefined`.
 */
export class LayeredMap<K, V> {
  #base: ReadonlyMap<K, V>;
  #overlay: Overlay<K, V> = new Map();
  #size: number;

  /** Takes ownership of `base`. The caller must not modify `base` afterwards. */
  constructor(base: ReadonlyMap<K, V> = new Map()) {
    this.#base = base;
    this.#size = base.size;
  }

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    if (this.#overlay.size > 0) {
      const value = this.#overlay.get(key);
      if (value !== undefined) return value === removed ? undefined : value;
    }
    return this.#base.get(key);
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  /** Returns a new map with the given changes. A value of `undefined` removes the key. If a key occurs more than once, the last change wins. */
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

  /**
   * Merges the base map and the overlay. Copying the base map in one call is faster than iterating, which would allocate two objects per
   * entry.
   */
  #folded(): Map<K, V> {
    const map = new Map(this.#base);
    for (const [key, value] of this.#overlay)
      if (value === removed) map.delete(key);
      else map.set(key, value);
    return map;
  }

  /** Iterates over all entries in unspecified order. */
  *[Symbol.iterator](): IterableIterator<[K, V]> {
    for (const entry of this.#base) if (!this.#overlay.has(entry[0])) yield entry;
    for (const [key, value] of this.#overlay) if (value !== removed) yield [key, value];
  }
}
