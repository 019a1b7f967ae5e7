/**
 * Simplifies option schemas for readers and editors: plain JSON Schema, without `null` for absent options. Used for the schema of the
 * entire configuration and for package manifests.
 */
import { idKey, isArray, isObject, own, type Json, type JsonArray, type JsonObject } from '@sluice/base';
import { moduleKeyword, type ModuleReference } from './options.ts';

/** Settings that differ between the uses of {@link tidySchema}. */
export interface Tidying {
  /** Returns the replacement for a module reference in a schema. */
  reference(reference: ModuleReference, schema: JsonObject): JsonObject;
  /** Schema of the key `@id`. */
  readonly id: JsonObject;
  /** True if maps with user-chosen keys also declare `@id`. */
  readonly idInMaps?: boolean;
}

/** Keywords whose values are schemas, lists of schemas, or maps of schemas. The values of other keywords are copied unchanged. */
const single = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else']);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const maps = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);

/** Pattern that TypeBox uses for the keys of objects with arbitrary keys. */
const anyKey = '^.*$';

/** Replaces module references in a schema and removes `null` alternatives. Everything else is copied. */
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

/** Returns the enumerable part of a TypeBox schema, which is plain JSON Schema. */
export function plain(schema: object): Json {
  return JSON.parse(JSON.stringify(schema)) as Json;
}

/** Returns the module reference in a schema, or `null` if there is none. */
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

function simplify(schema: Record<string, Json>, { id, idInMaps = false }: Tidying): JsonObject {
  const { anyOf, patternProperties, ...rest } = schema;
  if (isArray(anyOf) && anyOf.length === 1 && isObject(anyOf[0])) return { ...rest, ...anyOf[0] };
  const [[key, entries] = [], ...others] = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  if (key === anyKey && entries !== undefined && others.length === 0 && rest.additionalProperties === undefined) {
    return { ...rest, ...(idInMaps ? { properties: { [idKey]: id } } : {}), additionalProperties: entries };
  }
  return schema;
}
