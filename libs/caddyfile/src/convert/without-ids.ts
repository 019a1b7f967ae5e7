/** Removes `@id` fields. Caddyfiles can't express `@id`, so a removed field counts as a difference. */
import { isArray, isObject, type Json } from '@sluice/base';

export function withoutIds(value: Json): Json {
  if (isArray(value)) return value.map(withoutIds);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '@id');
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutIds(item)]));
}
