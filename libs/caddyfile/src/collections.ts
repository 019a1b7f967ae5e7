/** Helper for maps whose values are lists. */

/** Appends a value to the list of a key. Creates the list if it doesn't exist. */
export function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
