/** Creates JSON in the same way as Caddy: without empty values, and with module options sorted by key. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { carryOrigin } from './sources/origins.ts';

/** Fields of a JSON object. Undefined fields are omitted. */
export type Fields = Readonly<Record<string, Json | undefined>>;

/** Returns an object without a prototype. Keys from a file, such as `constructor`, are therefore safe. */
export function dictionary<T extends Json | readonly Json[] = Json>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

export function defined(fields: Fields): JsonObject {
  return keep(fields, (value) => value !== undefined);
}

/** Returns a JSON object without empty fields. Empty values are undefined, empty strings and containers, zero, and false. */
export function compact(fields: Fields): JsonObject {
  return keep(fields, (value) => value !== undefined && !isEmpty(value));
}

/** Copies the fields that pass a test. `fromEntries` can create fields with any key, including `__proto__`. */
function keep(fields: Fields, wanted: (value: Json | undefined) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => wanted(value))) as JsonObject;
}

/** Returns a copy of an object with its fields in the given order. `order` must list all field names. */
export function inOrder(fields: object, order: readonly string[]): Record<string, Json> {
  const json: Record<string, Json> = {};
  for (const name of order) {
    const value = (fields as Fields)[name];
    if (value !== undefined) json[name] = value;
  }
  return json;
}

export function isEmpty(value: Json): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false;
  if (value === null) return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** Returns the options of a module together with its name, as in `moduleObject('handler', 'vars', { root: '/' })`. */
export function moduleObject(key: string, name: string, options: Json): JsonObject {
  const fields = isObject(options) ? options : {};
  return carryOrigin(fields, sorted({ ...fields, [key]: name }) as JsonObject);
}

/** Returns a copy of the value with all object keys sorted. */
export function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return carryOrigin(value, value.map(sorted));
  const entries = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return carryOrigin(value, Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)])));
}

/** Casts plain data, such as routes, to JSON. TypeScript interfaces are not assignable to the JSON type. */
export function asJson(value: unknown): Json {
  return value as Json;
}
