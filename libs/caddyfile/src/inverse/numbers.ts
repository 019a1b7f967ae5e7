/** Numbers of groups, which a file gives one after the other while it is read. */
import { isArray, isObject, type Json } from '@sluice/base';

/** The numbers of all groups in a value, in the order of the document. */
export function groupNumbers(value: Json): number[] {
  if (isArray(value)) return value.flatMap(groupNumbers);
  if (!isObject(value)) return [];
  const { group } = value;
  const own = typeof group === 'string' ? /^group(\d+)$/.exec(group)?.[1] : undefined;
  return [...(own === undefined ? [] : [Number(own)]), ...Object.values(value).flatMap(groupNumbers)];
}
