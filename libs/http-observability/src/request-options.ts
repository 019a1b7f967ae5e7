/** Parses the bodies of admin API requests that start a recording. */
import { isObject, messageOf, type Json, type JsonObject } from '@sluice/base';

/** Creates the error for an invalid key in a request body. */
export type InvalidKey = (key: string, message: string) => Error;

/** Bounds of an integer option in a body. */
export interface IntegerBounds<K extends string> {
  readonly defaults: Readonly<Record<K, number>>;
  readonly max: Readonly<Record<K, number>>;
}

/** Parses a JSON object and rejects unknown keys. An empty body is parsed as an empty object. */
export function readOptions(body: Buffer, keys: readonly string[], invalid: InvalidKey): JsonObject {
  if (body.length === 0) return {};
  let value: Json;
  try {
    value = JSON.parse(body.toString()) as Json;
  } catch (error) {
    throw invalid('body', `is not JSON: ${messageOf(error)}`);
  }
  if (!isObject(value)) throw invalid('body', 'must be an object');
  for (const key of Object.keys(value))
    if (!keys.includes(key)) throw invalid(key, `is unknown; supported: ${keys.join(', ')}`);
  return value;
}

/** Returns an integer option. The minimum is 1. */
export function integerOption<K extends string>(
  options: JsonObject,
  key: K,
  { defaults, max }: IntegerBounds<K>,
  invalid: InvalidKey,
): number {
  const { [key]: value = defaults[key] } = options;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max[key]) return value;
  throw invalid(key, `must be an integer from 1 to ${max[key]}`);
}
