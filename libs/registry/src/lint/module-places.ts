/** Finds the options that contain modules, based on a schema. The result is cached per schema. */
import { isArray, isObject, own, type JsonObject } from '@sluice/base';
import { moduleKeyword, type ModuleReference } from '../schema/options.ts';

/** Options that contain modules at one level of a schema; `null` if there are none. */
export type Places =
  | { readonly kind: 'map'; readonly namespace: string; readonly key: string }
  | { readonly kind: 'sets'; readonly namespace: string; readonly key: string }
  | { readonly kind: 'inline'; readonly namespace: string; readonly key: string }
  | { readonly kind: 'list'; readonly items: Places }
  | { readonly kind: 'object'; readonly named: ReadonlyMap<string, Places>; readonly others: Places | null };

const known = new WeakMap<object, { readonly places: Places | null }>();

export function placesIn(schema: JsonObject): Places | null {
  let found = known.get(schema);
  if (found === undefined) known.set(schema, (found = { places: read(schema) }));
  return found.places;
}

function read(schema: JsonObject): Places | null {
  const reference = own(schema, moduleKeyword) as ModuleReference | undefined;
  if (reference !== undefined) {
    const { kind, namespace, key = '' } = reference;
    return { kind, namespace, key };
  }
  const alternatives = own(schema, 'anyOf');
  if (isArray(alternatives)) {
    for (const each of alternatives) {
      const found = isObject(each) ? placesIn(each) : null;
      if (found !== null) return found;
    }
    return null;
  }
  const items = below(own(schema, 'items'));
  if (items !== null) return { kind: 'list', items };
  return readObject(schema);
}

function readObject(schema: JsonObject): Places | null {
  const named = new Map<string, Places>();
  const properties = own(schema, 'properties');
  for (const [key, value] of isObject(properties) ? Object.entries(properties) : []) {
    const found = below(value);
    if (found !== null) named.set(key, found);
  }
  const patterns = own(schema, 'patternProperties');
  const [free] = isObject(patterns) ? Object.values(patterns) : [own(schema, 'additionalProperties')];
  const others = below(free);
  return named.size === 0 && others === null ? null : { kind: 'object', named, others };
}

function below(schema: unknown): Places | null {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
    ? placesIn(schema as JsonObject)
    : null;
}
