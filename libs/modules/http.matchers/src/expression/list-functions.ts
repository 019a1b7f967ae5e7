/** CEL list functions that Caddy supports beyond standard CEL. */
import { itemAt } from '@sluice/base';
import {
  celEnv,
  celFunc,
  celMethod,
  CelScalar,
  isCelList,
  listType,
  type CelFunc,
  type CelList,
  type CelValue,
} from '@bufbuild/cel';

const { DYN, INT } = CelScalar;
const list = listType(DYN);
const standard = celEnv().funcs;

/** Maximum length of a list that `lists.range` returns. */
const maxRange = 100_000n;

/** List functions. `@sortBy` also receives the sort keys; see rewrite.ts. */
export const listFunctions: readonly CelFunc[] = [
  celFunc('lists.range', [INT], list, range),
  celMethod('slice', list, [INT, INT], list, function slice(start, end) {
    if (start < 0n || end > BigInt(this.size) || start > end)
      throw new Error(`slice(${start}, ${end}) is out of range for a list with ${this.size} elements`);
    return [...this].slice(Number(start), Number(end));
  }),
  celMethod('flatten', list, [], list, function flatten() {
    return flattened(this, 1n);
  }),
  celMethod('flatten', list, [INT], list, function flatten(depth) {
    if (depth < 0n) throw new Error('flatten: the depth is negative');
    return flattened(this, depth);
  }),
  celMethod('distinct', list, [], list, distinct),
  celMethod('reverse', list, [], list, function reverse() {
    return [...this].toReversed();
  }),
  celMethod('sort', list, [], list, function sort() {
    return sortedBy([...this], [...this]);
  }),
  celMethod('@sortBy', list, [list], list, function sortBy(keys) {
    return sortedBy([...this], [...keys]);
  }),
];

function range(count: bigint): bigint[] {
  if (count > maxRange) throw new Error(`lists.range(${count}) exceeds the maximum of ${maxRange} elements`);
  return Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index));
}

function flattened(items: Iterable<CelValue>, depth: bigint): CelValue[] {
  const result: CelValue[] = [];
  for (const item of items) {
    if (depth > 0n && isCelList(item)) result.push(...flattened(item, depth - 1n));
    else result.push(item);
  }
  return result;
}

function distinct(this: CelList): CelValue[] {
  const result: CelValue[] = [];
  for (const item of this) if (!result.some((other) => ask('_==_', item, other))) result.push(item);
  return result;
}

function sortedBy(items: readonly CelValue[], keys: readonly CelValue[]): CelValue[] {
  const order = items.map((_, index) => index);
  order.sort((a, b) => {
    const [left, right] = [itemAt(keys, a), itemAt(keys, b)];
    return ask('_<_', left, right) ? -1 : ask('_<_', right, left) ? 1 : 0;
  });
  return order.map((index) => itemAt(items, index));
}

/** Compares two values with a CEL operator. */
function ask(operator: string, left: CelValue, right: CelValue): boolean {
  if (operator === '_<_' && typeof left !== typeof right)
    throw new Error('cannot sort a list whose elements have different types');
  const result = standard.find(operator)?.call(0, undefined, [left, right]);
  if (typeof result !== 'boolean') throw new Error('cannot compare list elements of this type');
  return result;
}
