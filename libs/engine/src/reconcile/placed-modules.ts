/** Which modules a generation has, and where they stand in the document. */
import type { ConfigPath } from '@sluice/base';
import { ListComponent, positionOf, type Component } from './component.ts';

/** A module in its place. */
export interface PlacedModule {
  readonly id: string;
  readonly path: ConfigPath;
}

/** The modules of top-level units by their components. */
export function placedModules(units: ReadonlyMap<string, Component>): Map<Component, PlacedModule> {
  const places = new Map<Component, PlacedModule>();
  for (const [unit, component] of units) visit(component, unit.split('/'), places);
  return places;
}

function visit(component: Component, path: string[], places: Map<Component, PlacedModule>): void {
  if (component.moduleId !== null) places.set(component, { id: component.moduleId, path });
  if (component instanceof ListComponent) {
    let index = 0;
    for (const element of component.elements) visit(element, [...path, String(index++)], places);
  } else for (const child of component.children()) visit(child, [...path, ...positionOf(child.key)], places);
}
