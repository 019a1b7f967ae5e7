/** Route group numbers, which the Caddyfile adapter assigns in parse order. */
import { isArray, isObject, type Json } from '@sluice/base';

/** Returns all group numbers in a value, in document order. */
export function groupNumbers(value: Json): number[] {
  if (isArray(value)) return value.flatMap(groupNumbers);
  if (!isObject(value)) return [];
  const { group } = value;
  const own = typeof group === 'string' ? /^group(\d+)$/.exec(group)?.[1] : undefined;
  return [...(own === undefined ? [] : [Number(own)]), ...Object.values(value).flatMap(groupNumbers)];
}
