/** Cache of values derived from field sets. It has 256 slots, selected by hash. */
import type { HeaderMap } from './header-map.ts';

interface Slot<T> {
  readonly key: number;
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly made: T;
  /** Eviction credit of the slot. It increases with each use, and decreases when another set of fields competes for the slot. */
  credit: number;
}

const maxCredit = 8;

/** A thread's cache of values derived from sets of fields. A lookup compares field names in order, and compares the values as strings. */
export class RememberedFields<T> {
  readonly #slots = Array.from<Slot<T> | null>({ length: 256 }).fill(null);

  slotOf({ values }: HeaderMap, key: number): number {
    let hash = key;
    for (const value of values) hash = (Math.imul(hash, 31) + value.length) | 0;
    return (hash ^ (hash >>> 8)) & 255;
  }

  find(at: number, key: number, { names, values }: HeaderMap): T | null {
    const slot = this.#slots[at];
    if (!slot || slot.key !== key || slot.names.length !== names.length) return null;
    for (let i = 0; i < names.length; i++) if (slot.names[i] !== names[i] || slot.values[i] !== values[i]) return null;
    if (slot.credit < maxCredit) slot.credit++;
    return slot.made;
  }

  /** Reports whether the slot may be replaced. A frequently used set of fields survives a single miss. */
  wants(at: number): boolean {
    const slot = this.#slots[at];
    return !slot || --slot.credit <= 0;
  }

  keep(at: number, key: number, { names, values }: HeaderMap, made: T): void {
    this.#slots[at] = { key, names: [...names], values: [...values], made, credit: maxCredit };
  }
}
