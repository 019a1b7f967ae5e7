/** Access to Go maps, represented by `Map` objects or by plain objects of a host. */
import { compareText } from './text.ts';
import type { GoMap } from './kind.ts';
import { integerOf } from './number.ts';

/** Returns the value for a key, or undefined if the key is missing. Never reads inherited properties. */
export function mapGet(map: GoMap, key: unknown): unknown {
  if (map instanceof Map) return map.get(key);
  return typeof key === 'string' && Object.hasOwn(map, key) ? (map[key] ?? null) : undefined;
}

export function mapHas(map: GoMap, key: unknown): boolean {
  return map instanceof Map ? map.has(key) : typeof key === 'string' && Object.hasOwn(map, key);
}

/** Sets a key in a map. `__proto__` is treated as an ordinary key. */
export function mapSet(map: GoMap, key: string, value: unknown): void {
  if (map instanceof Map) map.set(key, value);
  else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Removes a key from a map. */
export function mapDelete(map: GoMap, key: string): void {
  if (map instanceof Map) map.delete(key);
  else if (Object.hasOwn(map, key)) delete map[key];
}

export function mapSize(map: GoMap): number {
  return map instanceof Map ? map.size : Object.keys(map).length;
}

/** Returns the keys of a map in insertion order. */
export function mapKeys(map: GoMap): unknown[] {
  return map instanceof Map ? [...map.keys()] : Object.keys(map);
}

/** Returns the entries of a map sorted by key, which is the order for `range` and `print`. */
export function sortedEntries(map: GoMap): [unknown, unknown][] {
  const entries: [unknown, unknown][] = map instanceof Map ? [...map] : Object.entries(map);
  return entries.sort((a, b) => compareKeys(a[0], b[0]));
}

function compareKeys(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== null && y !== null) return x < y ? -1 : x > y ? 1 : 0;
  if (x !== null) return -1;
  return y !== null ? 1 : compareText(String(a), String(b));
}
