/** Computes the differences between trees that share nodes. Skips identical nodes, so the cost is proportional to the size of the change. */
import {
  changedRuns,
  isArray,
  isObject,
  jsonEqual,
  own,
  type ChangedRun,
  type Json,
  type JsonArray,
  type JsonObject,
  formatPointer,
  type ConfigPath,
  spliceOf,
  itemAt,
} from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';

/** Returns the JSON Patch from `before` to `after` (RFC 6902, only `add`, `replace` and `remove`). */
export function diff(before: Json, after: Json): PatchOperation[] {
  const operations: PatchOperation[] = [];
  compare(before, after, [], operations);
  return operations;
}

function compare(before: Json, after: Json, path: string[], out: PatchOperation[]): void {
  if (before === after) return;
  if (isObject(before) && isObject(after)) compareObjects(before, after, path, out);
  else if (isArray(before) && isArray(after)) compareArrays(before, after, path, out);
  else if (!jsonEqual(before, after)) out.push({ op: 'replace', path: formatPointer(path), value: after });
}

function compareObjects(before: JsonObject, after: JsonObject, path: string[], out: PatchOperation[]): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) out.push({ op: 'remove', path: formatPointer([...path, key]) });
  }
  for (const key of Object.keys(after)) {
    const value = own(after, key) as Json;
    const old = own(before, key);
    if (old === value) continue;
    path.push(key);
    if (old === undefined) out.push({ op: 'add', path: formatPointer(path), value });
    else compare(old, value, path, out);
    path.pop();
  }
}

/**
 * Compares arrays as runs of changed elements. Runs are processed from last to first, so that the operations of one run don't shift the
 * elements of another run. Within a run, elements are replaced first, and any remaining ones are removed or added.
 */
function compareArrays(before: JsonArray, after: JsonArray, path: string[], out: PatchOperation[]): void {
  for (const { start, removed, at, inserted } of runsOf(before, after).reverse()) {
    const paired = Math.min(removed, inserted);
    for (let i = 0; i < paired; i++) {
      path.push(String(start + i));
      compare(itemAt(before, start + i), itemAt(after, at + i), path, out);
      path.pop();
    }
    for (let i = start + removed - 1; i >= start + paired; i--)
      out.push({ op: 'remove', path: formatPointer([...path, String(i)]) });
    for (let i = paired; i < inserted; i++)
      out.push({ op: 'add', path: formatPointer([...path, String(start + i)]), value: itemAt(after, at + i) });
  }
}

function runsOf(before: JsonArray, after: JsonArray): ChangedRun[] {
  const { start, removed, inserted } = spliceOf(before, after);
  if (removed === 0 || inserted === 0) return [{ start, removed, at: start, inserted }];
  const runs = changedRuns(before.slice(start, start + removed), after.slice(start, start + inserted));
  return runs.map((run) => ({ ...run, start: run.start + start, at: run.at + start }));
}

/** Calls `visit` with the path of each object that exists only in `before` (`gone` is true) or only in `after`. */
export function visitChangedObjects(
  before: Json | undefined,
  after: Json | undefined,
  visit: (object: JsonObject, path: ConfigPath, gone: boolean) => void,
): void {
  walk(before, after, { path: [], visit });
}

/** State of a traversal of two documents. */
interface Walk {
  readonly path: string[];
  readonly visit: (object: JsonObject, path: ConfigPath, gone: boolean) => void;
}

function walk(before: Json | undefined, after: Json | undefined, on: Walk): void {
  const { path, visit } = on;
  if (before === after) return;
  if (isArray(before) && isArray(after)) {
    const { start, removed, inserted } = spliceOf(before, after);
    for (let i = start; i < start + Math.max(removed, inserted); i++) {
      path.push(String(i));
      walk(i < start + removed ? before[i] : undefined, i < start + inserted ? after[i] : undefined, on);
      path.pop();
    }
    return;
  }
  const left = isObject(before) ? before : undefined;
  const right = isObject(after) ? after : undefined;
  if (left !== undefined) visit(left, path, true);
  if (right !== undefined) visit(right, path, false);
  if (isArray(before)) before.forEach((item, i) => walkInto(item, undefined, String(i), on));
  if (isArray(after)) after.forEach((item, i) => walkInto(undefined, item, String(i), on));
  if (left !== undefined) for (const key of Object.keys(left)) walkInto(left[key], right && own(right, key), key, on);
  if (right !== undefined) {
    for (const key of Object.keys(right))
      if (left === undefined || !Object.hasOwn(left, key)) walkInto(undefined, right[key], key, on);
  }
}

function walkInto(before: Json | undefined, after: Json | undefined, key: string, on: Walk): void {
  if (typeof before !== 'object' && typeof after !== 'object') return;
  on.path.push(key);
  walk(before, after, on);
  on.path.pop();
}
