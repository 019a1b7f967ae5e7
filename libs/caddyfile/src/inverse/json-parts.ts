/** Parts of documents, which may be anything. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';

export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let at = value;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

/** The list at a path, empty where there is none. */
export function listAt(value: Json | undefined, path: readonly string[]): readonly Json[] {
  const found = valueAt(value, path);
  return isArray(found) ? found : [];
}

/** The object at a path, empty where there is none. */
export function objectAt(value: Json | undefined, path: readonly string[]): JsonObject {
  const found = valueAt(value, path);
  return isObject(found) ? found : {};
}

/** The servers of a document, by name. */
export function serversOf(document: Json): [string, JsonObject][] {
  return Object.entries(objectAt(document, ['apps', 'http', 'servers'])).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]),
  );
}
