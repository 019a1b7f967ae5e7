/** Lists whose entries keep their positions when entries are added or removed. */

/** A list entry with a stable key. */
export interface Named {
  readonly key: string;
}

/**
 * Assigns list positions. Existing entries keep their positions. New entries take the positions of obsolete entries or are appended. `idle`
 * converts obsolete entries that were not replaced.
 */
export function inPlaces<T extends Named>(before: readonly T[], wanted: readonly T[], idle: (entry: T) => T): T[] {
  const there = new Set(before.map(({ key }) => key));
  const byKey = new Map(wanted.map((entry) => [entry.key, entry]));
  const fresh = wanted.filter(({ key }) => !there.has(key)).values();
  const kept = before.map((entry) => byKey.get(entry.key) ?? fresh.next().value ?? idle(entry));
  return [...kept, ...fresh];
}
