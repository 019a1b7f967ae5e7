/** Putting JSON together as the reference writes it: what is empty is left out, options of modules are sorted by key. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { carryOrigin } from './sources/origins.ts';

/** Fields of an object; those that are undefined are left out. */
export type Fields = Readonly<Record<string, Json | undefined>>;

/** An object for keys that a file chooses: none is there from the start, such as `constructor`. */
export function dictionary<T extends Json | readonly Json[] = Json>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** An object without the fields that are undefined. */
export function defined(fields: Fields): JsonObject {
  return keep(fields, (value) => value !== undefined);
}

/** An object without the fields that say nothing: undefined, empty, zero, false. */
export function compact(fields: Fields): JsonObject {
  return keep(fields, (value) => value !== undefined && !isEmpty(value));
}

/** `fromEntries` makes fields of all keys, also of `__proto__`. */
function keep(fields: Fields, wanted: (value: Json | undefined) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => wanted(value))) as JsonObject;
}

/** The fields of an object in an order, which has all their names. */
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

/** The options of a module with its name among them: `moduleObject('handler', 'vars', { root: '/' })`. */
export function moduleObject(key: string, name: string, options: Json): JsonObject {
  const fields = isObject(options) ? options : {};
  return carryOrigin(fields, sorted({ ...fields, [key]: name }) as JsonObject);
}

/** The same value with the keys of all objects sorted. */
export function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return carryOrigin(value, value.map(sorted));
  const entries = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return carryOrigin(value, Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)])));
}

/** Route-like values are written as plain data; interfaces are not JSON to the compiler. */
export function asJson(value: unknown): Json {
  return value as Json;
}
