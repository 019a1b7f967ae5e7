/** Top level of a document: apps, and sections such as `logging`. Unknown keys are rejected. */
import { configError, isObject, kindOf, own, type Json, type JsonObject } from '@sluice/base';

/** Key under which a document references its schema, for editors (`sluice schema`). The server ignores the key. */
const schemaKey = '$schema';

/** Node used for a part that the document doesn't contain. */
export const absent: JsonObject = Object.freeze({});

/** Returns the document as an object. The object is empty if there is no document. */
export function rootOf(config: Json, sections: ReadonlyMap<string, unknown>): JsonObject {
  const root = config === null ? absent : config;
  if (!isObject(root)) throw configError('', `the configuration must be an object, not ${kindOf(root)}`);
  for (const key of Object.keys(root)) {
    if (key !== 'apps' && key !== '@id' && key !== schemaKey && !sections.has(key))
      throw configError(key, `unknown key; supported keys are ${['apps', ...sections.keys()].sort().join(', ')}`);
  }
  return root;
}

export function appNames(root: JsonObject): string[] {
  const configured = own(root, 'apps') ?? absent;
  if (!isObject(configured)) throw configError('apps', `must be an object of apps, not ${kindOf(configured)}`);
  return Object.keys(configured).filter((name) => {
    if (name === '@id') return false;
    if (configured[name] === null)
      throw configError(`apps.${name}`, 'null is not a valid app configuration; omit the key, or use {}');
    return true;
  });
}

/** Returns the options of an app. Returns `undefined` if the app is not configured. */
export function appNode(config: Json, name: string): Json | undefined {
  const configured = isObject(config) ? own(config, 'apps') : undefined;
  return isObject(configured) ? (own(configured, name) ?? undefined) : undefined;
}
