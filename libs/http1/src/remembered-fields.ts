/** What was made of sets of fields, so that the same fields need not be made into it again: 256 sets, by a hash. */
import type { HeaderMap } from './header-map.ts';

interface Slot<T> {
  readonly key: number;
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly made: T;
  /** Goes up with use, and down when others want the slot. */
  credit: number;
}

const maxCredit = 8;

/** A memory of one thread. Names count in order, and values by their text. */
export class RememberedFields<T> {
  readonly #slots = Array.from<Slot<T> | null>({ length: 256 }).fill(null);

  /** The slot of fields. `key` counts as one of them, here and below: what is made depends on it, too. */
  slotOf({ values }: HeaderMap, key: number): number {
    let hash = key;
    for (let i = 0; i < values.length; i++) hash = (Math.imul(hash, 31) + (values[i] as string).length) | 0;
    return (hash ^ (hash >>> 8)) & 255;
  }

  /** What was made of these fields; `null` if that is not known. */
  find(at: number, key: number, { names, values }: HeaderMap): T | null {
    const slot = this.#slots[at] as Slot<T> | null;
    if (slot === null || slot.key !== key || slot.names.length !== names.length) return null;
    for (let i = 0; i < names.length; i++) if (slot.names[i] !== names[i] || slot.values[i] !== values[i]) return null;
    if (slot.credit < maxCredit) slot.credit++;
    return slot.made;
  }

  /** Whether fields that were not found may be kept: sets that are asked for often are not given up for one. */
  wants(at: number): boolean {
    const slot = this.#slots[at] as Slot<T> | null;
    return slot === null || --slot.credit <= 0;
  }

  /** Keeps what was made. */
  keep(at: number, key: number, { names, values }: HeaderMap, made: T): void {
    this.#slots[at] = { key, names: [...names], values: [...values], made, credit: maxCredit };
  }
}
