/** How the document that a file makes compares with the one that it was made of. */
import { isArray, isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';
import type { ConversionDifference, ConversionVerdict } from '@sluice/contracts';
import { flattened } from './flattened.ts';

/** What comparing finds. */
export interface Comparison {
  readonly verdict: ConversionVerdict;
  /** Where they differ; empty only if they are identical. */
  readonly differences: readonly ConversionDifference[];
}

/** Compares two documents. */
export function compareDocuments(wanted: Json, made: Json): Comparison {
  if (jsonEqual(wanted, made)) return { verdict: 'identical', differences: [] };
  const verdict = sameMeaning(wanted, made) ? 'same' : 'different';
  const numbered = differences(withGroupsNumbered(wanted), withGroupsNumbered(made));
  // Where only groups have other names, these are what differs.
  return { verdict, differences: numbered.length > 0 ? numbered : differences(wanted, made) };
}

/** The less a file differs, the lower it ranks. */
export function rank({ verdict, differences }: Comparison): number {
  if (verdict === 'identical') return 0;
  const size = differences.reduce((sum, { wanted, made }) => sum + sizeOf(wanted) + sizeOf(made), 1);
  return verdict === 'same' ? size / (size + 1) : size;
}

function sizeOf(value: Json | undefined): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

/** Whether two values mean the same: they are equal but for the names of groups, and for how their routes are nested. */
export function sameMeaning(a: Json, b: Json): boolean {
  return sameButGroups(flattened(a), flattened(b));
}

/** Whether two values are equal but for the names of groups. */
export function sameButGroups(a: Json, b: Json): boolean {
  return jsonEqual(withGroupsNumbered(a), withGroupsNumbered(b));
}

/** The value with the groups of its routes named by the order in which they appear. */
function withGroupsNumbered(value: Json): Json {
  const names = new Map<string, string>();
  const walk = (each: Json): Json => {
    if (isArray(each)) return each.map(walk);
    if (!isObject(each)) return each;
    const entries = Object.entries(each).sort(([x], [y]) => (x < y ? -1 : 1));
    return Object.fromEntries(
      entries.map(([key, item]) => [key, isGroup(each, key, item) ? nameOf(item) : walk(item)]),
    );
  };
  const nameOf = (group: string): string => {
    const known = names.get(group) ?? `group${names.size}`;
    names.set(group, known);
    return known;
  };
  return walk(value);
}

function isGroup(owner: JsonObject, key: string, value: Json): value is string {
  return key === 'group' && typeof value === 'string' && isArray(owner['handle']);
}

/** The places at which documents differ, as deep as objects go, and lists whose other elements are equal. */
function differences(wanted: Json | undefined, made: Json | undefined, path = ''): ConversionDifference[] {
  if (wanted === undefined || made === undefined) return wanted === made ? [] : [{ path, wanted, made }];
  if (jsonEqual(wanted, made)) return [];
  if (isArray(wanted) && isArray(made)) return listDifferences(wanted, made, path);
  if (isObject(wanted) && isObject(made)) {
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(made)])];
    return keys.flatMap((key) => differences(wanted[key], made[key], path === '' ? key : `${path}.${key}`));
  }
  return [{ path, wanted, made }];
}

/** Lists that begin and end alike are compared in between: elements may be missing there. */
function listDifferences(wanted: readonly Json[], made: readonly Json[], path: string): ConversionDifference[] {
  const shorter = Math.min(wanted.length, made.length);
  const at = (index: number): string => `${path}[${index}]`;
  if (wanted.length === made.length) return wanted.flatMap((each, index) => differences(each, made[index], at(index)));
  let first = 0;
  while (first < shorter && jsonEqual(wanted[first], made[first])) first++;
  let last = 0;
  while (last < shorter - first && jsonEqual(wanted.at(-1 - last), made.at(-1 - last))) last++;
  const missing = wanted.slice(first, wanted.length - last);
  const added = made.slice(first, made.length - last);
  if (added.length === 0)
    return missing.map((each, index) => ({ path: at(first + index), wanted: each, made: undefined }));
  if (missing.length === 0)
    return added.map((each, index) => ({ path: at(first + index), wanted: undefined, made: each }));
  return [{ path, wanted, made }];
}
