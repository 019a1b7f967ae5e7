/** Builds the `logging` section of the document: server logs and site logs. */
import type { Json, JsonObject } from '@sluice/base';
import { asJson } from '../json.ts';
import type { GlobalOptions } from './global-options.ts';
import { carryOrigin } from '../sources/origins.ts';
import type { NamedLog } from './log-values.ts';
import type { Site } from './site.ts';

const defaultLog = 'default';

/** Builds the `logging` section. Returns `null` if the section would be empty. */
export function buildLogging(sites: readonly Site[], options: GlobalOptions): Json | null {
  const debug = options.has('debug');
  const global = options.get<readonly NamedLog[]>('log') ?? [];
  const own = sites.flatMap((site) => site.pile<NamedLog>('custom_log'));
  const logs = new Map<string, Record<string, Json>>();
  for (const { name, log } of [...global, ...own]) {
    if (name === '' || log === null) continue;
    logs.set(name, withLevel(log as JsonObject, debug));
  }
  if (debug && !logs.has(defaultLog) && !global.some(({ name }) => name === defaultLog))
    logs.set(defaultLog, { level: 'DEBUG' });
  // A logger that writes to a separate log must be excluded from the default log.
  const apart = [...logs]
    .filter(([name]) => name !== defaultLog)
    .flatMap(([, { include }]) => (include ?? []) as readonly string[]);
  if (apart.length > 0) {
    const log = logs.get(defaultLog) ?? {};
    const excluded = [...new Set([...((log['exclude'] ?? []) as readonly string[]), ...apart])].sort();
    logs.set(defaultLog, { ...log, exclude: excluded });
  }
  for (const [name, log] of logs) if (Object.keys(log).length === 0 && name === defaultLog) logs.delete(name);
  if (logs.size === 0) return null;
  return { logs: asJson(Object.fromEntries([...logs].sort(([a], [b]) => (a < b ? -1 : 1)))) };
}

function withLevel(log: JsonObject, debug: boolean): Record<string, Json> {
  if (!debug || log['level'] !== undefined) return carryOrigin(log, { ...log });
  const { include, exclude, sampling, ...first } = log;
  const rest = { sampling, include, exclude };
  const kept = Object.entries(rest).filter(([, value]) => value !== undefined) as [string, Json][];
  return carryOrigin(log, { ...first, level: 'DEBUG', ...Object.fromEntries(kept) });
}
