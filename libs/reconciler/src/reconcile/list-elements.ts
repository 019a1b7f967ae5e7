/** Elements of a list that replaces another list. Elements with identical nodes are kept, even if they have moved. */
import { spliceOf, type ArraySplice, type Json, type JsonArray, itemAt } from '@sluice/base';
import type { Component, ListComponent } from './component.ts';

/** Compares and creates list elements. */
export interface ElementMaker {
  /** Reports whether all external dependencies of an element are unchanged. */
  isUnchanged(element: Component): Promise<boolean>;
  /** Creates the element at an index. `replaced` is the previous element at this index. */
  make(index: number, replaced: Component | null): Component | Promise<Component>;
  /** Releases elements that were created but are not needed. */
  discard(elements: readonly Component[]): Promise<void>;
}

export interface ElementChange {
  /** Difference between the list nodes. If the new list reuses nothing, the splice inserts all elements. */
  readonly splice: ArraySplice;
  readonly made: readonly Component[];
  /** Elements of the old list that are not in the new list. */
  readonly departed: readonly Component[];
}

/**
 * Fills an empty list. If `sameNeeds` is true, keeps the elements of `old` outside the splice without checking them. Otherwise, each
 * element is checked.
 */
export async function fillList(
  list: ListComponent,
  old: ListComponent | null,
  sameNeeds: boolean,
  maker: ElementMaker,
): Promise<ElementChange> {
  const nodes = list.node as JsonArray;
  const base = sameNeeds ? old : null;
  const splice = spliceOf(base === null ? [] : (base.node as JsonArray), nodes);
  const removed =
    base === null ? (old?.elements.toArray() ?? []) : base.elements.slice(splice.start, splice.start + splice.removed);
  const free = new Map<Json, Component[]>();
  // If changes are far apart, the splice also covers the unchanged elements between them. These elements are found by position, without a
  // table.
  const isInPlace = (i: number): boolean => i < splice.inserted && removed[i]?.node === nodes[splice.start + i];
  for (let i = 0; i < removed.length; i++) {
    if (isInPlace(i)) continue;
    const element = itemAt(removed, i);
    free.set(element.node, [...(free.get(element.node) ?? []), element]);
  }
  const fresh: Component[] = [];
  const made: Component[] = [];
  const moved = new Set<Component>();
  const keptInPlace = new Uint8Array(removed.length);
  try {
    for (let i = 0; i < splice.inserted; i++) {
      const same = isInPlace(i) ? removed[i] : free.get(itemAt(nodes, splice.start + i))?.shift();
      const isKept = same !== undefined && (sameNeeds || (await maker.isUnchanged(same)));
      const found = isKept ? same : maker.make(splice.start + i, removed[i] ?? null);
      const element = found instanceof Promise ? await found : found;
      if (!isKept) made.push(element);
      else if (isInPlace(i)) keptInPlace[i] = 1;
      else moved.add(element);
      const neighbour = fresh.at(-1) ?? base?.elements.at(splice.start - 1) ?? base?.elements.at(splice.start);
      if (neighbour !== undefined) element.shareNeeds(neighbour);
      fresh.push(element);
      if (element.needs !== neighbour?.needs) for (const [token, value] of element.needs) list.need(token, value);
    }
  } catch (error) {
    await maker.discard(made);
    throw error;
  }
  const instances = fresh.map((element) => element.instance);
  list.elements = (base?.elements ?? list.elements).replace(splice.start, splice.removed, fresh);
  list.instances = (base?.instances ?? list.instances).replace(splice.start, splice.removed, instances);
  if (base !== null) for (const [token, value] of base.needs) list.need(token, value);
  const departed = removed.filter((element, i) => keptInPlace[i] !== 1 && !moved.has(element));
  return { splice, made, departed };
}
