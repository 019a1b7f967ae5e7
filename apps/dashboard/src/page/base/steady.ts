/** Lists that are looked at while they change: what stays in them stays where it is. */

/** What has a name by which it is known again. */
export interface Named {
  readonly key: string;
}

/**
 * Entries in places. Each keeps the place that it had; what is new takes the place of something that is not wanted any more, or
 * the next one. `idle` is what becomes of an entry that is not wanted while no other needs its place.
 */
export function inPlaces<T extends Named>(before: readonly T[], wanted: readonly T[], idle: (entry: T) => T): T[] {
  const there = new Set(before.map(({ key }) => key));
  const byKey = new Map(wanted.map((entry) => [entry.key, entry]));
  const fresh = wanted.filter(({ key }) => !there.has(key)).values();
  const kept = before.map((entry) => byKey.get(entry.key) ?? fresh.next().value ?? idle(entry));
  return [...kept, ...fresh];
}
