/** Runs all benchmarks of docs/benchmarks.md and saves the results. */
import { measureChanges, measureLatencyUnderChanges } from './changes.ts';
import { allContestants, wayOf } from './contestants.ts';
import { facts } from './history/facts.ts';
import { describedResult } from './describe.ts';
import type { Run } from './history/run.ts';
import { rateFor } from './latency/measure.ts';
import { measure, type Pace, type Result } from './measure.ts';
import type { Scenario } from './scenarios.ts';
import { median } from './statistics.ts';

/** Runs the benchmarks of the table. Calls `report` with the result of each scenario. */
export async function measureTable(
  scenarios: readonly Scenario[],
  pace: Pace,
  report: (line: string) => void,
): Promise<Run> {
  const before = facts();
  const measured: { name: string; result: Result }[] = [];
  for (const scenario of scenarios.filter((each) => each.inTable === true && wayOf(each).missing === null)) {
    const result = await kept(() => measure(scenario, allContestants(), pace), report);
    if (result === null) continue;
    measured.push({ name: scenario.name, result });
    report(describedResult(scenario.name, result));
  }
  const changes = [];
  for (const routes of [10, 1000, 10_000])
    changes.push(...((await kept(() => measureChanges(routes, Math.min(pace.rounds, 5), 1), report)) ?? []));
  const capacity = measured.find(({ name }) => name === 'plain response')?.result.get('caddy')?.rates;
  const rate = rateFor(median(capacity ?? []));
  const underChanges =
    capacity === undefined ? null : await kept(() => measureLatencyUnderChanges(rate, pace.rounds), report);
  return {
    format: 1,
    ...before,
    rounds: pace.rounds,
    seconds: pace.seconds,
    scenarios: measured.map(({ name, result }) => ({ name, servers: Object.fromEntries(result) })),
    changes: changes.map(({ routes, loaded, servers }) => ({ routes, loaded, servers: Object.fromEntries(servers) })),
    underChanges: underChanges === null ? null : { rate, servers: Object.fromEntries(underChanges) },
  };
}

/** Returns the measurement, or `null` if it failed. If a scenario fails, the other rows are kept. */
async function kept<T>(measured: () => Promise<T>, report: (line: string) => void): Promise<T | null> {
  try {
    return await measured();
  } catch (error) {
    report(`left out: ${(error as Error).message}`);
    return null;
  }
}
