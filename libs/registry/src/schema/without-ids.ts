/**
 * Removes `@id` from maps with user-chosen keys. Any object may have an `@id`, and it is not an entry of the map.
 *
 * Objects with fixed keys declare `@id` (`options`). A module's own `@id` is removed together with its name.
 */
import { idKey, isArray, isObject, own, type Json, type JsonArray, type JsonObject } from '@sluice/base';
import { moduleKeyword } from './options.ts';

/** Removes `@id` keys from a value. Returns the same value if there is nothing to remove. */
type Strip = (value: Json) => Json;

type Schema = Readonly<Record<string, unknown>>;

const strips = new WeakMap<object, { readonly strip: Strip | null }>();

/** Returns options without the `@id` keys of their maps. Visits only options whose schema contains maps. */
export function withoutIds(schema: object, config: Json): Json {
  let known = strips.get(schema);
  if (known === undefined) {
    known = { strip: stripOf(schema as Schema) };
    strips.set(schema, known);
  }
  return known.strip === null ? config : known.strip(config);
}

/** Returns the function that removes `@id` keys for a schema. Returns `null` if the schema contains no maps. */
function stripOf(schema: Schema): Strip | null {
  if (moduleKeyword in schema) return null;
  const { patternProperties, properties, items, anyOf } = schema as Readonly<Record<string, Schema | undefined>>;
  return inTurn([
    patternProperties === undefined ? null : mapStrip(inTurn(Object.values(patternProperties).map(stripOfAny))),
    properties === undefined ? null : propertiesStrip(properties),
    items === undefined ? null : itemsStrip(items),
    anyOf === undefined ? null : inTurn(Object.values(anyOf).map(stripOfAny)),
  ]);
}

const stripOfAny = (schema: unknown): Strip | null => stripOf(schema as Schema);

function inTurn(all: readonly (Strip | null)[]): Strip | null {
  const some = all.filter((each) => each !== null);
  return some.length < 2 ? (some[0] ?? null) : (value) => some.reduce((rest, strip) => strip(rest), value);
}

/** Returns a function that removes `@id` from a map and from its entries. */
function mapStrip(inner: Strip | null): Strip {
  return remembered((value) => {
    if (!isObject(value)) return value;
    const { [idKey]: id, ...rest } = value;
    const entries = id === undefined ? value : rest;
    return inner === null ? entries : replaceAll(entries, Object.keys(entries), () => inner);
  });
}

function propertiesStrip(properties: Schema): Strip | null {
  const inner = new Map<string, Strip>();
  for (const [key, schema] of Object.entries(properties)) {
    const strip = stripOfAny(schema);
    if (strip !== null) inner.set(key, strip);
  }
  if (inner.size === 0) return null;
  const keys = [...inner.keys()];
  return remembered((value) => (isObject(value) ? replaceAll(value, keys, (key) => inner.get(key) as Strip) : value));
}

function itemsStrip(schema: Schema): Strip | null {
  const inner = stripOf(schema);
  if (inner === null) return null;
  return remembered((value) => {
    if (!isArray(value)) return value;
    const items: JsonArray = value.map(inner);
    return items.every((item, index) => item === value[index]) ? value : items;
  });
}

function replaceAll(value: JsonObject, keys: readonly string[], stripAt: (key: string) => Strip): JsonObject {
  const changed: [string, Json][] = [];
  for (const key of keys) {
    const child = own(value, key);
    const other = child === undefined ? child : stripAt(key)(child);
    if (other !== undefined && other !== child) changed.push([key, other]);
  }
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries<Json>(changed) };
}

/** Memoizes results, so that unchanged values are the same objects in every configuration. */
function remembered(strip: Strip): Strip {
  const copies = new WeakMap<object, Json>();
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const made = strip(value);
    if (made !== value) copies.set(value, made);
    return made;
  };
}
