/** Dry-run reports: the effect of a change on the modules. */
import type { Finding } from '@sluice/registry';
import { formatWhere, type Json } from '@sluice/base';
import type { ModuleDifference, PlacedModule } from './compare-modules.ts';

export interface ReportedModule {
  readonly id: string;
  /** Configuration path: `apps.http.servers.s.routes[3].handle[0]`. */
  readonly path: string;
  /** Source location, if the configuration was adapted: `Caddyfile:12`. */
  readonly source?: string;
}

/** A value that a package adds to the result of a dry run. */
export interface PackageReport {
  readonly value: Json;
  /** Admin API call that returns the same value. Clients without permission for this call do not see the value. */
  readonly right: { readonly method: string; readonly path: string };
}

/** Modules that a change keeps, rebuilds in place, adds and drops, and check findings in rebuilt and added modules. */
export interface BuildReport {
  /** First kept modules, up to the requested number. */
  readonly kept: readonly ReportedModule[];
  readonly keptCount: number;
  readonly rebuilt: readonly ReportedModule[];
  readonly started: readonly ReportedModule[];
  readonly stopped: readonly ReportedModule[];
  readonly warnings: readonly Finding[];
  /** Values of packages by name. */
  readonly reported: ReadonlyMap<string, PackageReport>;
}

export function reportOf(modules: ModuleDifference): Omit<BuildReport, 'warnings' | 'reported'> {
  const made = modules.made.map(shown);
  const dropped = modules.dropped.map(shown);
  const old = new Set(dropped.map(keyOf));
  const now = new Set(made.map(keyOf));
  return {
    kept: modules.kept.map(shown),
    keptCount: modules.keptCount,
    rebuilt: made.filter((each) => old.has(keyOf(each))),
    started: made.filter((each) => !old.has(keyOf(each))),
    stopped: dropped.filter((each) => !now.has(keyOf(each))),
  };
}

export function reportedOf(modules: readonly PlacedModule[]): readonly ReportedModule[] {
  return modules.map(shown);
}

function keyOf(module: ReportedModule): string {
  return `${module.path} ${module.id}`;
}

function shown({ id, path }: PlacedModule): ReportedModule {
  return { id, path: formatWhere(path) };
}
