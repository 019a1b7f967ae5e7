/** Removes `@id` fields from a document. Caddyfiles cannot represent `@id`, so each removed field counts as a difference. */
import { isArray, isObject, type Json } from '@sluice/base';

export function withoutIds(value: Json): Json {
  if (isArray(value)) return value.map(withoutIds);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '@id');
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutIds(item)]));
}
