/** The difference of two documents, as a JSON Patch (RFC 6902). What is the same object is not looked into. */
import { isEqual, isList, isObject, type Json, type Path } from './json.ts';
import { pointerOf } from './paths.ts';

/** One operation of a patch. */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace' | 'test' | 'move' | 'copy';
  readonly path: string;
  readonly value?: Json;
  readonly from?: string;
}

/** What makes the second document of the first. */
export function difference(before: Json | undefined, after: Json | undefined, at: Path = []): Operation[] {
  if (before === after) return [];
  const path = pointerOf(at);
  if (before === undefined) return [{ op: 'add', path, value: after ?? null }];
  if (after === undefined) return [{ op: 'remove', path }];
  if (isObject(before) && isObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      difference(own(before, key), own(after, key), [...at, key]),
    );
  if (isList(before) && isList(after)) return listDifference(before, after, at);
  return isEqual(before, after) ? [] : [{ op: 'replace', path, value: after }];
}

function own(value: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Elements at both ends that are the same stay; of those between, as many are replaced as there are in both. */
function listDifference(before: readonly Json[], after: readonly Json[], at: Path): Operation[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isEqual(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const removed = before.length - end - start;
  const added = after.length - end - start;
  const both = Math.min(removed, added);
  const operations: Operation[] = [];
  for (let index = start; index < start + both; index += 1)
    operations.push(...difference(before[index], after[index], [...at, index]));
  // From the end, so that the indexes of those before hold.
  for (let index = start + removed - 1; index >= start + both; index -= 1)
    operations.push({ op: 'remove', path: pointerOf([...at, index]) });
  for (let index = start + both; index < start + added; index += 1)
    operations.push({ op: 'add', path: pointerOf([...at, index]), value: after[index] ?? null });
  return operations;
}
