/** The top level of a document: sections such as `logging`, and the apps. Wrong keys are refused here. */
import { configError, isObject, kindOf, own, type Json, type JsonObject } from '@sluice/base';

/** Names the schema of a document for editors (`sluice schema`); it means nothing to a server. */
const schemaKey = '$schema';

/** The node of a part that the document does not have. */
export const absent: JsonObject = Object.freeze({});

/** The document as an object; an empty one where there is none. */
export function rootOf(config: Json, sections: ReadonlyMap<string, unknown>): JsonObject {
  const root = config === null ? absent : config;
  if (!isObject(root)) throw configError('', `the configuration must be an object, not ${kindOf(root)}`);
  for (const key of Object.keys(root)) {
    if (key !== 'apps' && key !== '@id' && key !== schemaKey && !sections.has(key))
      throw configError(
        key,
        `unknown key; the configuration supports ${['apps', ...sections.keys()].sort().join(', ')}`,
      );
  }
  return root;
}

/** The names of the apps that a document configures. */
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

/** The options of an app; `undefined` where the document has none. */
export function appNode(config: Json, name: string): Json | undefined {
  const configured = isObject(config) ? own(config, 'apps') : undefined;
  return isObject(configured) ? (own(configured, name) ?? undefined) : undefined;
}
