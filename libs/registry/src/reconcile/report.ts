/** What a change would do to the modules, for dry runs. */
import { formatWhere } from '../config/path.ts';
import { ListComponent, positionOf, type Component } from './component.ts';
import type { Units } from './build.ts';

/** One module of a report. */
export interface ReportedModule {
  readonly id: string;
  /** Where it stands: `apps.http.servers.s.routes[3].handle[0]`. */
  readonly path: string;
}

/** The modules that a change keeps, makes anew in their place, adds and drops. */
export interface BuildReport {
  readonly kept: readonly ReportedModule[];
  readonly rebuilt: readonly ReportedModule[];
  readonly started: readonly ReportedModule[];
  readonly stopped: readonly ReportedModule[];
}

type Place = Map<Component, ReportedModule>;

/** Compares the modules in force with those of a build. */
export function reportOf(before: Units, after: Units): BuildReport {
  const old = placesOf(before);
  const now = placesOf(after);
  const oldKeys = new Set([...old].filter(([component]) => !now.has(component)).map(([, module]) => keyOf(module)));
  const newKeys = new Set([...now].filter(([component]) => !old.has(component)).map(([, module]) => keyOf(module)));
  const kept: ReportedModule[] = [];
  const rebuilt: ReportedModule[] = [];
  const started: ReportedModule[] = [];
  for (const [component, module] of now) {
    if (old.has(component)) kept.push(module);
    else if (oldKeys.has(keyOf(module))) rebuilt.push(module);
    else started.push(module);
  }
  const stopped = [...old]
    .filter(([component, module]) => !now.has(component) && !newKeys.has(keyOf(module)))
    .map(([, module]) => module);
  return { kept, rebuilt, started, stopped };
}

function keyOf(module: ReportedModule): string {
  return `${module.path} ${module.id}`;
}

function placesOf(units: Units): Place {
  const places: Place = new Map();
  for (const [unit, component] of units) visit(component, unit.split('/'), places);
  return places;
}

function visit(component: Component, path: string[], places: Place): void {
  if (component.moduleId !== null) places.set(component, { id: component.moduleId, path: formatWhere(path) });
  if (component instanceof ListComponent)
    component.elements.forEach((element, i) => visit(element, [...path, String(i)], places));
  else for (const [key, child] of component.children) visit(child, [...path, ...positionOf(key)], places);
}
