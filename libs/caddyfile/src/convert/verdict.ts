/** Compares the original document with the document that the converted file adapts to. */
import { isArray, isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';
import type { ConversionDifference, ConversionVerdict } from '@sluice/contracts';
import { flattened } from './flattened.ts';

/** Result of comparing two documents. */
export interface Comparison {
  readonly verdict: ConversionVerdict;
  /** List of differences. Empty only if the documents are identical. */
  readonly differences: readonly ConversionDifference[];
}

export function compareDocuments(wanted: Json, made: Json): Comparison {
  if (jsonEqual(wanted, made)) return { verdict: 'identical', differences: [] };
  const verdict = sameMeaning(wanted, made) ? 'same' : 'different';
  const numbered = differences(withGroupsNumbered(wanted), withGroupsNumbered(made));
  // Ignore differences in group names, unless these are the only differences.
  return { verdict, differences: numbered.length > 0 ? numbered : differences(wanted, made) };
}

/** Returns a rank for a comparison. Fewer differences result in a lower rank. */
export function rank({ verdict, differences }: Comparison): number {
  if (verdict === 'identical') return 0;
  const size = differences.reduce((sum, { wanted, made }) => sum + sizeOf(wanted) + sizeOf(made), 1);
  return verdict === 'same' ? size / (size + 1) : size;
}

function sizeOf(value: Json | undefined): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

/** Reports whether two values are equivalent, that is, equal except for group names and the nesting of routes. */
export function sameMeaning(a: Json, b: Json): boolean {
  return sameButGroups(flattened(a), flattened(b));
}

/** Reports whether two values are equal except for group names. */
export function sameButGroups(a: Json, b: Json): boolean {
  return jsonEqual(withGroupsNumbered(a), withGroupsNumbered(b));
}

/** Returns a copy of the value with its route groups renamed in order of appearance. */
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

/** Returns the paths at which two documents differ. Compares objects field by field, and lists element by element where possible. */
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

/**
 * Compares two lists. Compares lists of equal length element by element. For other lists, ignores the common prefix and suffix, and returns
 * the added or removed elements. If elements were both added and removed, returns the entire list.
 */
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
