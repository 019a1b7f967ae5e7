/** JSON values as the configuration tree holds them. Nodes are immutable by convention: a change makes new ones. */

/** Any JSON value. */
export type Json = string | number | boolean | null | JsonArray | JsonObject;
/** A JSON array node. */
export type JsonArray = readonly Json[];
/** A JSON object node. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a JSON object (not an array, not null). */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON array. */
export function isArray(value: Json | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** The value of an own key; never one inherited from Object.prototype. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A copy of an object with one key set; a computed key also makes `__proto__` an ordinary key. */
export function withKey(object: JsonObject, key: string, value: Json): JsonObject {
  return { ...object, [key]: value };
}

/** A copy of an object without one key. */
export function withoutKey(object: JsonObject, key: string): JsonObject {
  const copy: Record<string, Json> = { ...object };
  delete copy[key];
  return copy;
}

/** Says what a value is, for messages: `a string`, `an array`, `null` … */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'object' ? 'an object' : `a ${type}`;
}

/** Deep equality of two JSON values; the very same node is equal without a look inside. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]));
  if (Array.isArray(b)) return false;
  const left = a as JsonObject;
  const right = b as JsonObject;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) if (!Object.hasOwn(right, key) || !jsonEqual(left[key], right[key])) return false;
  return true;
}

/** The key whose value names an object of the configuration, for `/id/…` of the admin API. */
export const idKey = '@id';
