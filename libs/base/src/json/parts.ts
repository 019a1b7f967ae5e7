/** Safe access to nested parts of arbitrary JSON. */
import { isArray, isObject, own, type Json, type JsonArray, type JsonObject } from './json.ts';

export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found = value;
  for (const key of path) found = isObject(found) ? own(found, key) : undefined;
  return found;
}

/** Returns the array at a path. Returns an empty array if there is none. */
export function listAt(value: Json | undefined, path: readonly string[]): JsonArray {
  const found = valueAt(value, path);
  return isArray(found) ? found : [];
}

/** Returns the object at a path. Returns an empty object if there is none. */
export function objectAt(value: Json | undefined, path: readonly string[]): JsonObject {
  const found = valueAt(value, path);
  return isObject(found) ? found : {};
}
