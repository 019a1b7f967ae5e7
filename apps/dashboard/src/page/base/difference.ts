/** Computes the differences between two documents as a JSON Patch (RFC 6902). Skips subtrees that are the same object. */
import { insertAt, isEqual, isList, isObject, removeAt, setAt, valueAt, type Json, type Path } from './json.ts';
import { parsePointer, pointerOf } from './paths.ts';

export interface Operation {
  readonly op: 'add' | 'remove' | 'replace' | 'test' | 'move' | 'copy';
  readonly path: string;
  readonly value?: Json;
  readonly from?: string;
}

/** A patch operation, with the value that it replaces or removes. */
export interface Edit extends Operation {
  /** Previous value, or `undefined` if there was none or it is unknown. */
  readonly previous?: Json | undefined;
}

/** Returns the JSON Patch that converts the first document to the second. */
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

/** Adds the previous values to a patch. `document` is the document before the patch, or `undefined` if unknown. */
export function withPrevious(document: Json | undefined, operations: readonly Operation[]): Edit[] {
  let current = document;
  return operations.map((operation) => {
    const { previous, next } = step(current, operation);
    current = next;
    return { ...operation, previous };
  });
}

/** Returns the document after applying a patch. */
export function patched(document: Json | undefined, operations: readonly Operation[]): Json | undefined {
  return operations.reduce((current, operation) => step(current, operation).next, document);
}

function step(
  current: Json | undefined,
  { op, path, from, value = null }: Operation,
): { readonly previous: Json | undefined; readonly next: Json | undefined } {
  const moved = from === undefined ? value : (valueAt(current, parsePointer(from)) ?? null);
  const rest = op === 'move' && from !== undefined ? removeAt(current, parsePointer(from)) : current;
  const at = positionOf(rest, path);
  const writes = op === 'add' || op === 'move' || op === 'copy';
  const isInsertion = writes && isList(valueAt(rest, at.slice(0, -1)));
  const previous = isInsertion ? undefined : valueAt(rest, at);
  if (op === 'remove') return { previous, next: removeAt(rest, at) };
  if (isInsertion) return { previous, next: insertAt(rest, at, moved) };
  return { previous, next: op === 'test' || rest === undefined ? rest : setAt(rest, at, moved) };
}

/** Converts a JSON Pointer to a path. `-` means the end of a list (RFC 6901 §4). */
function positionOf(document: Json | undefined, pointer: string): Path {
  const path = parsePointer(pointer);
  if (path.at(-1) !== '-') return path;
  const parent = valueAt(document, path.slice(0, -1));
  return isList(parent) ? [...path.slice(0, -1), parent.length] : path;
}

function own(value: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Returns the patch for two lists. Keeps equal elements at both ends. Replaces the elements in between by position, then removes or adds
 * the remaining elements.
 */
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
  // Remove elements starting from the end, so that the remaining indexes stay valid.
  for (let index = start + removed - 1; index >= start + both; index -= 1)
    operations.push({ op: 'remove', path: pointerOf([...at, index]) });
  for (let index = start + both; index < start + added; index += 1)
    operations.push({ op: 'add', path: pointerOf([...at, index]), value: after[index] ?? null });
  return operations;
}
