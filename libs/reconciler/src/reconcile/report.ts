/** Dry-run reports, which describe the effect of a change on modules. */
import type { Finding, ReportRight } from '@sluice/registry';
import { formatWhere, type Json } from '@sluice/base';
import type { ModuleDifference, PlacedModule } from './compare-modules.ts';

export interface ReportedModule {
  readonly id: string;
  /** Configuration path: `apps.http.servers.s.routes[3].handle[0]`. */
  readonly path: string;
  /** Source location such as `Caddyfile:12`, if the configuration was adapted. */
  readonly source?: string;
}

/** A value that a package adds to the result of a dry run. */
export interface PackageReport {
  readonly value: Json;
  readonly right: ReportRight;
}

/** A value that is computed after the dry run. */
export interface LaterReport {
  readonly compute: () => Promise<Json>;
  readonly right: ReportRight;
}

/** Modules that a change keeps, rebuilds in place, adds and drops. Includes the check findings for rebuilt and added modules. */
export interface BuildReport {
  readonly kept: readonly ReportedModule[];
  readonly keptCount: number;
  readonly rebuilt: readonly ReportedModule[];
  readonly started: readonly ReportedModule[];
  readonly stopped: readonly ReportedModule[];
  readonly warnings: readonly Finding[];
  readonly reported: ReadonlyMap<string, PackageReport>;
  /** Values to compute once other changes can proceed; see {@link completed}. */
  readonly later: ReadonlyMap<string, LaterReport>;
}

/** Computes the deferred values of a report. */
export async function completed(report: BuildReport): Promise<BuildReport> {
  if (report.later.size === 0) return report;
  const reported = new Map(report.reported);
  for (const [name, { compute, right }] of report.later) reported.set(name, { value: await compute(), right });
  return { ...report, reported, later: nothingLater };
}

const nothingLater: BuildReport['later'] = new Map();

export function reportOf(modules: ModuleDifference): Omit<BuildReport, 'warnings' | 'reported' | 'later'> {
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
