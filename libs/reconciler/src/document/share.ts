import { isArray, isObject, jsonEqual, own, type Json, type JsonArray, type JsonObject, itemAt } from '@sluice/base';
import { hashOf } from './hash.ts';

/**
 * Returns `next`, reusing nodes of `current`: each subtree that equals its counterpart in `current` is replaced by that counterpart.
 *
 * Each node is visited once, at any depth, because array elements are first compared by their cached hashes.
 */
export function shareSubtrees(current: Json | undefined, next: Json): Json {
  if (current === next || current === undefined) return next;
  if (isArray(next)) return isArray(current) ? shareArrays(current, next) : next;
  if (isObject(next)) return isObject(current) ? shareObjects(current, next) : next;
  return next;
}

function shareObjects(current: JsonObject, next: JsonObject): JsonObject {
  const shared: Record<string, Json> = {};
  let isCurrent = true;
  let isNext = true;
  let count = 0;
  for (const key of Object.keys(next)) {
    const before = own(current, key);
    const given = own(next, key) as Json;
    const after = shareSubtrees(before, given);
    isCurrent &&= before === after;
    isNext &&= given === after;
    count++;
    Object.defineProperty(shared, key, { value: after, enumerable: true, configurable: true, writable: true });
  }
  if (isCurrent && count === Object.keys(current).length) return current;
  return isNext ? next : shared;
}

/**
 * Pairs the elements of two arrays. Elements in the common prefix and suffix are paired by position, and elements in between by content.
 * Any remaining elements are paired by position.
 */
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
  const result = new Replaced(next);
  for (let i = 0; i < start; i++) result.set(i, itemAt(current, i));
  for (let i = endNext; i < next.length; i++) result.set(i, itemAt(current, i - endNext + endCurrent));
  const isInPlace = (i: number): boolean => i < endCurrent && i < endNext && current[i] === next[i];
  const free = indexesByHash(current, start, endCurrent, isInPlace);
  const taken = new Set<number>();
  const unmatched: number[] = [];
  for (let i = start; i < endNext; i++) {
    if (isInPlace(i)) continue;
    const node = itemAt(next, i);
    const equals = free.get(hashOf(node));
    const index = equals?.[0];
    if (equals === undefined || index === undefined || !jsonEqual(current[index], node)) unmatched.push(i);
    else {
      equals.shift();
      taken.add(index);
      result.set(i, itemAt(current, index));
    }
  }
  for (const i of unmatched) {
    if (i < endCurrent && !taken.has(i)) result.set(i, shareSubtrees(current[i], itemAt(next, i)));
  }
  return result.elements;
}

class Replaced {
  elements: JsonArray;
  #copy: Json[] | null = null;

  constructor(elements: JsonArray) {
    this.elements = elements;
  }

  set(index: number, element: Json): void {
    if (this.elements[index] === element) return;
    this.elements = this.#copy ??= this.elements.slice();
    this.#copy[index] = element;
  }
}

function isSame(before: Json, after: Json): boolean {
  return before === after || (hashOf(before) === hashOf(after) && jsonEqual(before, after));
}

function indexesByHash(
  array: JsonArray,
  start: number,
  end: number,
  isTaken: (index: number) => boolean,
): Map<number, number[]> {
  const indexes = new Map<number, number[]>();
  for (let i = start; i < end; i++) {
    if (isTaken(i)) continue;
    const key = hashOf(itemAt(array, i));
    const list = indexes.get(key);
    if (list === undefined) indexes.set(key, [i]);
    else list.push(i);
  }
  return indexes;
}
