/**
 * The modules of a build beside those in force. What is kept is kept as a whole, so that only what a change makes is walked:
 * of thousands of kept modules there is no more than their number, and the first of them by name.
 */
import type { ConfigPath, Json } from '@sluice/base';
import { ListComponent, positionOf, type Component } from './component.ts';
import type { Units } from './build-start.ts';

/** A module in its place. */
export interface PlacedModule {
  readonly id: string;
  readonly path: ConfigPath;
  readonly node: Json;
}

/** What a build keeps, makes and drops. */
export interface ModuleDifference {
  /** The first of those that are kept. */
  readonly kept: readonly PlacedModule[];
  readonly keptCount: number;
  readonly made: readonly PlacedModule[];
  readonly dropped: readonly PlacedModule[];
}

/** Compares. The build makes its components for the epoch `since`; `mostKept` are listed of those that it keeps. */
export function compareModules(before: Units, after: Units, since: number, mostKept: number): ModuleDifference {
  const shared = new Set<Component>();
  const kept: PlacedModule[] = [];
  let keptCount = 0;
  const made = modulesOf(after, (component, path) => {
    if (component.since >= since) return false;
    shared.add(component);
    keptCount += countOf(component);
    if (kept.length < mostKept) list(component, path, kept, () => kept.length >= mostKept);
    return true;
  });
  return { kept, keptCount, made, dropped: modulesOf(before, (component) => shared.has(component)) };
}

/** Whether a component, and what is in it, is left out. */
type LeavesOut = (component: Component, path: ConfigPath) => boolean;

function modulesOf(units: Units, leavesOut: LeavesOut): PlacedModule[] {
  const modules: PlacedModule[] = [];
  for (const [unit, component] of units) list(component, unit.split('/'), modules, leavesOut);
  return modules;
}

function list(component: Component, path: ConfigPath, into: PlacedModule[], leavesOut: LeavesOut): void {
  if (leavesOut(component, path)) return;
  const { moduleId, node } = component;
  if (moduleId !== null) into.push({ id: moduleId, path, node });
  if (component instanceof ListComponent) {
    let index = 0;
    for (const element of component.elements) list(element, [...path, String(index++)], into, leavesOut);
  } else for (const child of component.children()) list(child, [...path, ...positionOf(child.key)], into, leavesOut);
}

const counts = new WeakMap<Component, number>();

/** How many modules a component is and has. Counted once, as what is provisioned does not change. */
function countOf(component: Component): number {
  let count = counts.get(component);
  if (count === undefined) {
    count = component.moduleId === null ? 0 : 1;
    for (const each of component instanceof ListComponent ? component.elements : component.children())
      count += countOf(each);
    counts.set(component, count);
  }
  return count;
}
