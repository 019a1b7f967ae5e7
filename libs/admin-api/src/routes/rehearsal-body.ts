/** Creates the response of a dry run. The response shows the effect of the change, limited to the parts that the client may read. */
import type { IncomingMessage } from 'node:http';
import type { Json } from '@sluice/base';
import type { AdapterWarning } from '@sluice/contracts';
import type { BuildReport, ChangeResult, ReportedModule } from '@sluice/reconciler';
import type { Authority } from '../access/authority.ts';
import type { ConfigScope } from '../access/config-scope.ts';
import type { AppliedEdit } from './applied-edit.ts';
import { authorityOf, type RequestedChange } from '../call.ts';

/** Client that requested a dry run, and the request options. */
export interface RehearsalReader {
  readonly authority: Authority;
  /** Part of the configuration that the client may read. `null` for the entire configuration. */
  readonly scope: ConfigScope | null;
  readonly maxKept: number;
}

/** Returns the client that sent a request, and the request options. */
export function readerOf(
  request: IncomingMessage,
  { maxKept }: RequestedChange,
  scope: ConfigScope | null = null,
): RehearsalReader {
  return { authority: authorityOf(request), scope, maxKept };
}

/** Returns the response body of a dry run. */
export function rehearsalBody(
  { changed, operations, fleet }: ChangeResult & Partial<Pick<AppliedEdit, 'fleet'>>,
  report: BuildReport,
  warnings: readonly AdapterWarning[],
  { authority, scope, maxKept }: RehearsalReader,
): Json {
  const shown = <T extends { readonly path: string }>(list: readonly T[]): readonly T[] =>
    scope === null ? list : list.filter(({ path }) => scope.shows(path));
  const kept = shown(report.kept);
  const modules: Record<'kept' | 'rebuilt' | 'started' | 'stopped', readonly ReportedModule[]> = {
    kept: kept.slice(0, maxKept),
    rebuilt: shown(report.rebuilt),
    started: shown(report.started),
    stopped: shown(report.stopped),
  };
  const counts = {
    kept: scope === null ? report.keptCount : kept.length,
    rebuilt: modules.rebuilt.length,
    started: modules.started.length,
    stopped: modules.stopped.length,
  };
  const reported = [...report.reported].filter(([, { right }]) => authority.allowsPath(right.method, right.path));
  const all = [...warnings, ...shown(report.warnings)];
  const members = fleet?.rehearsed ?? {};
  const body = {
    ...(all.length === 0 ? {} : { warnings: all }),
    changed,
    patch: operations,
    counts,
    modules,
    ...(Object.keys(members).length === 0 ? {} : { members }),
    ...Object.fromEntries(reported.map(([name, { value }]) => [name, value])),
  };
  return body as unknown as Json;
}
