/** What a change would do to the modules, for dry runs. */
import type { Finding } from '@sluice/registry';
import { formatWhere, type Json } from '@sluice/base';
import type { ModuleDifference, PlacedModule } from './compare-modules.ts';

/** One module of a report. */
export interface ReportedModule {
  readonly id: string;
  /** Where it stands: `apps.http.servers.s.routes[3].handle[0]`. */
  readonly path: string;
  /** Where it was written, if the configuration was adapted: `Caddyfile:12`. */
  readonly source?: string;
}

/** Something that a package has to say of a change that is tried out. */
export interface ToldByPackage {
  readonly value: Json;
  /** The call of the admin API that tells the same: who may not make it is not told. */
  readonly right: { readonly method: string; readonly path: string };
}

/** The modules that a change keeps, makes again in their place, adds and drops, and what checks say of those that it makes. */
export interface BuildReport {
  /** The first of them, as many as were asked for. */
  readonly kept: readonly ReportedModule[];
  /** How many there are. */
  readonly keptCount: number;
  readonly rebuilt: readonly ReportedModule[];
  readonly started: readonly ReportedModule[];
  readonly stopped: readonly ReportedModule[];
  readonly warnings: readonly Finding[];
  /** What packages say, by names of theirs. */
  readonly told: ReadonlyMap<string, ToldByPackage>;
}

/** The modules of a report. */
export function reportOf(modules: ModuleDifference): Omit<BuildReport, 'warnings' | 'told'> {
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

/** Modules as they are shown. */
export function reportedOf(modules: readonly PlacedModule[]): readonly ReportedModule[] {
  return modules.map(shown);
}

function keyOf(module: ReportedModule): string {
  return `${module.path} ${module.id}`;
}

function shown({ id, path }: PlacedModule): ReportedModule {
  return { id, path: formatWhere(path) };
}
