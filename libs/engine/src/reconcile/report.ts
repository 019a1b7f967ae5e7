/** What a change would do to the modules, for dry runs. */
import type { Finding } from '@sluice/registry';
import { formatWhere } from '@sluice/base';
import type { Component } from './component.ts';
import type { PlacedModule } from './placed-modules.ts';

/** One module of a report. */
export interface ReportedModule {
  readonly id: string;
  /** Where it stands: `apps.http.servers.s.routes[3].handle[0]`. */
  readonly path: string;
  /** Where it was written, if the configuration was adapted: `Caddyfile:12`. */
  readonly source?: string;
}

/** The modules that a change keeps, makes again in their place, adds and drops, and what checks say of those that it makes. */
export interface BuildReport {
  readonly kept: readonly ReportedModule[];
  readonly rebuilt: readonly ReportedModule[];
  readonly started: readonly ReportedModule[];
  readonly stopped: readonly ReportedModule[];
  readonly warnings: readonly Finding[];
}

type Places = ReadonlyMap<Component, PlacedModule>;

/** Compares the modules in force with those of a build. */
export function reportOf(before: Places, after: Places, warnings: readonly Finding[]): BuildReport {
  const old = shownOf(before);
  const now = shownOf(after);
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
  return { kept, rebuilt, started, stopped, warnings };
}

function keyOf(module: ReportedModule): string {
  return `${module.path} ${module.id}`;
}

function shownOf(places: Places): Map<Component, ReportedModule> {
  return new Map([...places].map(([component, { id, path }]) => [component, { id, path: formatWhere(path) }]));
}
