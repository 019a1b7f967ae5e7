/** Documents without the identifiers of objects, for which a Caddyfile has no word: that they are missing is a difference. */
import { isArray, isObject, type Json } from '@sluice/base';

/** The value without any `@id`. */
export function withoutIds(value: Json): Json {
  if (isArray(value)) return value.map(withoutIds);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '@id');
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutIds(item)]));
}
