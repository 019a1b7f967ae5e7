/**
 * Shares equal subtrees between a new document and the current document. A complete document sent to `/load` then costs only its
 * difference, because the reconciler keeps the components of identical nodes.
 */
import { isArray, isObject, jsonEqual, own, type Json, type JsonArray, type JsonObject, itemAt } from '@sluice/base';
import { hashOf } from './hash.ts';

/**
 * Returns `next`, with each subtree that equals its counterpart in `current` replaced by this counterpart.
 *
 * Each node is visited once at any depth, because array elements are first compared by their cached hashes.
 */
export function shareSubtrees(current: Json | undefined, next: Json): Json {
  if (current === next || current === undefined) return next;
  if (isArray(next)) return isArray(current) ? shareArrays(current, next) : next;
  if (isObject(next)) return isObject(current) ? shareObjects(current, next) : next;
  return next;
}

function shareObjects(current: JsonObject, next: JsonObject): JsonObject {
  const shared: Record<string, Json> = {};
  let same = true;
  let count = 0;
  for (const key of Object.keys(next)) {
    const before = own(current, key);
    const after = shareSubtrees(before, own(next, key) as Json);
    if (before !== after) same = false;
    count++;
    Object.defineProperty(shared, key, { value: after, enumerable: true, configurable: true, writable: true });
  }
  return same && count === Object.keys(current).length ? current : shared;
}

/** Pairs elements of equal prefixes and suffixes by position, elements in between by content, and the remaining elements by position. */
function shareArrays(current: JsonArray, next: JsonArray): JsonArray {
  let start = 0;
  let endCurrent = current.length;
  let endNext = next.length;
  while (start < endCurrent && start < endNext && isSame(itemAt(current, start), itemAt(next, start))) start++;
  while (endCurrent > start && endNext > start && isSame(itemAt(current, endCurrent - 1), itemAt(next, endNext - 1))) {
    endCurrent--;
    endNext--;
  }
  if (start === current.length && start === next.length) return current;
  const result: Json[] = current.slice(0, start);
  const free = indexesByHash(current, start, endCurrent);
  const taken = new Set<number>();
  const unmatched: number[] = [];
  for (let i = start; i < endNext; i++) {
    const node = itemAt(next, i);
    const equals = free.get(hashOf(node));
    const index = equals?.[0];
    result.push(node);
    if (equals === undefined || index === undefined || !jsonEqual(current[index], node)) unmatched.push(i);
    else {
      equals.shift();
      taken.add(index);
      result[i] = itemAt(current, index);
    }
  }
  for (const i of unmatched) {
    if (i < endCurrent && !taken.has(i)) result[i] = shareSubtrees(current[i], itemAt(next, i));
  }
  for (let i = endCurrent; i < current.length; i++) result.push(itemAt(current, i));
  return result;
}

function isSame(before: Json, after: Json): boolean {
  return before === after || (hashOf(before) === hashOf(after) && jsonEqual(before, after));
}

function indexesByHash(array: JsonArray, start: number, end: number): Map<number, number[]> {
  const indexes = new Map<number, number[]>();
  for (let i = start; i < end; i++) {
    const key = hashOf(itemAt(array, i));
    const list = indexes.get(key);
    if (list === undefined) indexes.set(key, [i]);
    else list.push(i);
  }
  return indexes;
}
