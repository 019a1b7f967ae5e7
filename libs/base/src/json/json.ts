/** JSON values of the configuration tree. Nodes are immutable by convention: a change creates new nodes. */

export type Json = string | number | boolean | null | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Reports whether a value is a JSON object, that is, neither an array nor null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** Returns the value of an object's own property, never of a property inherited from `Object.prototype`. */
export function own<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns a copy of the object with one key set. Uses a computed property, so that even `__proto__` is an ordinary key. */
export function withKey(object: JsonObject, key: string, value: Json): JsonObject {
  return { ...object, [key]: value };
}

export function withoutKey(object: JsonObject, key: string): JsonObject {
  const copy: Record<string, Json> = { ...object };
  delete copy[key];
  return copy;
}

/** Describes the type of a value for error messages: `a string`, `an array`, or `null`. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'object' ? 'an object' : `a ${type}`;
}

/** Reports whether two JSON values are deeply equal. Identical nodes are not traversed. */
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

/** Name of the key that identifies an object in the configuration. The admin API addresses such objects as `/id/…`. */
export const idKey = '@id';
