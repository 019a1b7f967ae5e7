/** Access to parts of documents with any content. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';

export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let at = value;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

/** Returns the list at a path, or an empty one. */
export function listAt(value: Json | undefined, path: readonly string[]): readonly Json[] {
  const found = valueAt(value, path);
  return isArray(found) ? found : [];
}

/** Returns the object at a path, or an empty one. */
export function objectAt(value: Json | undefined, path: readonly string[]): JsonObject {
  const found = valueAt(value, path);
  return isObject(found) ? found : {};
}

/** Returns the servers of a document, by name. */
export function serversOf(document: Json): [string, JsonObject][] {
  return Object.entries(objectAt(document, ['apps', 'http', 'servers'])).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]),
  );
}
