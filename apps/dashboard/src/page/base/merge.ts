/** Three-way merge of a draft, its base, and the current configuration. */
import { isEqual, isList, isObject, type Json, type Path } from './json.ts';

/** A value that the draft and the current configuration changed differently. */
export interface Conflict {
  readonly path: Path;
  readonly base: Json | undefined;
  readonly mine: Json | undefined;
  readonly theirs: Json | undefined;
}

/** Result of a merge. In case of a conflict, the merged document contains the current configuration's value. */
export interface Merged {
  readonly value: Json | undefined;
  readonly conflicts: readonly Conflict[];
}

/** Merges objects by key, and lists of equal length by index. Treats other lists as single values. */
export function merge(
  base: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
  path: Path = [],
): Merged {
  if (isEqual(mine, theirs) || isEqual(base, mine)) return { value: theirs, conflicts: [] };
  if (isEqual(base, theirs)) return { value: mine, conflicts: [] };
  if (isObject(base) && isObject(mine) && isObject(theirs)) return mergeObjects(base, mine, theirs, path);
  if (isList(base) && isList(mine) && isList(theirs) && base.length === mine.length && base.length === theirs.length) {
    const parts = base.map((item, index) => merge(item, mine[index], theirs[index], [...path, index]));
    return { value: parts.map(({ value }) => value ?? null), conflicts: parts.flatMap(({ conflicts }) => conflicts) };
  }
  return { value: theirs, conflicts: [{ path, base, mine, theirs }] };
}

type Fields = { readonly [key: string]: Json };

function mergeObjects(base: Fields, mine: Fields, theirs: Fields, path: Path): Merged {
  const entries: [string, Json][] = [];
  const conflicts: Conflict[] = [];
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(base)])) {
    const part = merge(at(base, key), at(mine, key), at(theirs, key), [...path, key]);
    conflicts.push(...part.conflicts);
    if (part.value !== undefined) entries.push([key, part.value]);
  }
  // Use `fromEntries` instead of assignment, because `__proto__` can be a key.
  return { value: Object.fromEntries(entries), conflicts };
}

function at(fields: Fields, key: string): Json | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}
