/** Admin API route of the web application firewall (WAF): `/waf`. */
import type { AdminRoutes } from '@sluice/registry';
import type { EngineProcess } from './engine-process.ts';
import type { EngineTable } from './engine-table.ts';
import { latencyBounds, type RuleCount, type WafCounts } from './stats.ts';

const maxRules = 50;

/** Adds the admin API route. `engines` returns `undefined` if no configuration has contained a WAF yet. */
export function addWafRoutes({ router, describe }: AdminRoutes, engines: () => EngineTable | undefined): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  router.get('/waf', async (_request, response) => {
    const table = engines();
    const counts = (await table?.counts()) ?? new Map<string, WafCounts[]>();
    const running = [...(table?.processes ?? [])];
    response.json(running.map(([key, engine]) => engineJson(engine, counts.get(key) ?? [])));
  });
}

function engineJson(engine: EngineProcess, counts: readonly WafCounts[]): object {
  const { load_owasp_crs: crs, include } = engine.settings;
  const sum = (of: (counts: WafCounts) => number): number => counts.reduce((total, each) => total + of(each), 0);
  const latencies = [...latencyBounds, 0].map((_, i) => sum((each) => each.latencies[i] ?? 0));
  return {
    rules: crs ? 'OWASP Core Rule Set' : (include[0] ?? 'directives'),
    state: engine.isRunning ? 'running' : 'restarting',
    pid: engine.pid,
    started: engine.started,
    restarts: engine.restarts,
    last_exit: engine.lastExit,
    passed: sum(({ results }) => results.passed),
    blocked: sum(({ results }) => results.blocked),
    unavailable: sum(({ results }) => results.unavailable),
    uninspected: sum(({ results }) => results.uninspected),
    in_flight: sum(({ inFlight }) => inFlight),
    p50_ms: quantile(latencies, 0.5),
    p99_ms: quantile(latencies, 0.99),
    blocked_by: rulesOf(counts),
  };
}

/** Returns the upper bound of the histogram bucket that contains the quantile. Returns `null` if there are no observations. */
function quantile(latencies: readonly number[], share: number): number | null {
  let left = latencies.reduce((sum, each) => sum + each, 0) * share;
  if (left === 0) return null;
  for (const [i, bound] of latencyBounds.entries()) if ((left -= latencies[i] ?? 0) <= 0) return bound;
  return latencyBounds.at(-1) ?? null;
}

/** Returns the WAF rules that blocked the most requests, in descending order of their counts. */
function rulesOf(counts: readonly WafCounts[]): RuleCount[] {
  const sums = new Map<string, RuleCount>();
  for (const { rule, phase, count } of counts.flatMap(({ rules }) => rules)) {
    const key = `${rule} ${phase}`;
    sums.set(key, { rule, phase, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || a.rule - b.rule).slice(0, maxRules);
}
