/**
 * Schemas of options as people and editors read them: plain JSON Schema, without the `null` that stands for an absent
 * option. The schema of the whole configuration and the manifests of packages are made of it.
 */
import { idKey, isArray, isObject, own, type Json, type JsonArray, type JsonObject } from '@sluice/base';
import { moduleKeyword, type ModuleReference } from './options.ts';

/** What differs between the uses of {@link tidySchema}. */
export interface Tidying {
  /** What a place for modules becomes. */
  reference(reference: ModuleReference, schema: JsonObject): JsonObject;
  /** The schema of the key `@id`. */
  readonly id: JsonObject;
  /** Whether maps, whose keys are the user's, say that they may have it too. */
  readonly idInMaps?: boolean;
}

/** Keywords whose values are schemas, lists of schemas, or maps of schemas; all others are copied as they are. */
const single = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else']);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const maps = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);

/** How TypeBox writes an object whose keys are free. */
const anyKey = '^.*$';

/** Replaces module references, drops `null` alternatives, and copies the rest. */
export function tidySchema(schema: Json, tidying: Tidying): Json {
  if (!isObject(schema)) return schema;
  const reference = referenceOf(schema);
  if (reference !== null) return tidying.reference(reference, schema);
  const copy: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (single.has(keyword)) copy[keyword] = tidySchema(value, tidying);
    else if (lists.has(keyword) && isArray(value)) copy[keyword] = tidyAll(value, tidying);
    else if (maps.has(keyword) && isObject(value)) copy[keyword] = tidyMap(value, tidying);
    else copy[keyword] = value;
  }
  return simplify(copy, tidying);
}

/** The enumerable part of a TypeBox schema: plain JSON. */
export function plain(schema: object): Json {
  return JSON.parse(JSON.stringify(schema)) as Json;
}

/** The module that a schema has a place for, or `null`. */
export function referenceOf(schema: JsonObject): ModuleReference | null {
  return (own(schema, moduleKeyword) as ModuleReference | undefined) ?? null;
}

function tidyAll(schemas: JsonArray, tidying: Tidying): JsonArray {
  return schemas.filter((schema) => !isNullSchema(schema)).map((schema) => tidySchema(schema, tidying));
}

function tidyMap(schemas: JsonObject, tidying: Tidying): JsonObject {
  const entries = Object.entries(schemas).map(([key, schema]) => [
    key,
    key === idKey ? tidying.id : tidySchema(schema, tidying),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

function isNullSchema(schema: Json): boolean {
  return isObject(schema) && own(schema, 'type') === 'null';
}

/** Unwraps an alternative that is the only one, and writes free keys the way editors understand. */
function simplify(schema: Record<string, Json>, { id, idInMaps = false }: Tidying): JsonObject {
  const { anyOf, patternProperties, ...rest } = schema;
  if (isArray(anyOf) && anyOf.length === 1 && isObject(anyOf[0])) return { ...rest, ...anyOf[0] };
  if (
    isObject(patternProperties) &&
    Object.keys(patternProperties).join() === anyKey &&
    rest.additionalProperties === undefined
  ) {
    const entries = patternProperties[anyKey] as Json;
    return { ...rest, ...(idInMaps ? { properties: { [idKey]: id } } : {}), additionalProperties: entries };
  }
  return schema;
}
