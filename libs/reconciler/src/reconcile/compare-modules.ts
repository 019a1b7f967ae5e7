/**
 * Compares the modules of a build with the active modules. Components are kept as a whole, so only changed parts are traversed.
 *
 * For kept modules, the result contains only their number and the first few names.
 */
import type { ConfigPath, Json } from '@sluice/base';
import { ListComponent, positionOf, type Component } from './component.ts';
import type { Units } from './build-start.ts';

/** A module and its configuration path. */
export interface PlacedModule {
  readonly id: string;
  readonly path: ConfigPath;
  readonly node: Json;
}

/** Modules that a build keeps, creates and drops. */
export interface ModuleDifference {
  /** The first few modules that the build keeps. */
  readonly kept: readonly PlacedModule[];
  readonly keptCount: number;
  readonly made: readonly PlacedModule[];
  readonly dropped: readonly PlacedModule[];
}

/** Compares two generations. The build created its components for the epoch `since`. Lists at most `maxKept` unchanged modules. */
export function compareModules(before: Units, after: Units, since: number, maxKept: number): ModuleDifference {
  const shared = new Set<Component>();
  const kept: PlacedModule[] = [];
  let keptCount = 0;
  const made = modulesOf(after, (component, path) => {
    if (component.since >= since) return false;
    shared.add(component);
    keptCount += countOf(component);
    if (kept.length < maxKept) list(component, path, kept, () => kept.length >= maxKept);
    return true;
  });
  return { kept, keptCount, made, dropped: modulesOf(before, (component) => shared.has(component)) };
}

/** Reports whether to skip a component and its children. */
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

/** Returns the number of modules in a component, including itself. The number is cached, because provisioned components don't change. */
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
