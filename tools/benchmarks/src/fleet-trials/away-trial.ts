/**
 * Fleet trial with a temporary outage of the store. Running members continue to serve requests. A member that starts during the outage
 * serves its saved configuration.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SteadyLoad, type LoadResult } from '../soak/steady-load.ts';
import type { StoreEngine } from './engines/index.ts';
import { startFleet, type Fleet } from './fleet-of-members.ts';
import type { MemberProcess } from './member-process.ts';
import { settle } from './observe.ts';
import { until } from './until.ts';
import { writtenRoutes } from './writers.ts';

export interface AwayPlan {
  readonly seed: number;
  /** Duration of the store outage, in seconds. */
  readonly seconds: number;
  /** Request rate for each member, in requests per second. */
  readonly rate: number;
}

/** Parameters of the full outage trial. */
export const fullAwayPlan: AwayPlan = { seed: 1, seconds: 600, rate: 50 };

export interface AwayReport {
  readonly requests: number;
  /** Number of failed requests, keyed by reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** Response status of a change that a client requested during the outage. */
  readonly refused: number;
  /** Wall time from the start of a member to its first response, in milliseconds. The next property is the CPU time. */
  readonly restarted: number;
  readonly restartedProcessor: number;
  /** Time from the store's recovery until a change succeeded, in milliseconds. */
  readonly returned: number;
  readonly problems: readonly string[];
}

/** Runs the outage trial with a fleet store. The store keeps running after the trial. `command` starts the server. */
export async function tryAway(engine: StoreEngine, command: readonly string[], plan: AwayPlan): Promise<AwayReport> {
  const address = (): string => engine.address(`away-${plan.seed}`);
  const fleet = await startFleet({ command, members: 3, address, document: { routes: writtenRoutes() } });
  try {
    return await goAway(engine, fleet, plan);
  } finally {
    await fleet.stop();
  }
}

async function goAway(engine: StoreEngine, { members }: Fleet, { seconds, rate }: AwayPlan): Promise<AwayReport> {
  const [first, , last] = members as [MemberProcess, MemberProcess, MemberProcess];
  const loadOf = ({ httpPort: port }: MemberProcess): SteadyLoad =>
    new SteadyLoad({ port, path: '/', connections: 10, rate });
  const change = async (value: string): Promise<number> =>
    (await first.ask({ method: 'PATCH', path: '/id/site-1/handle/0/body', body: value })).status;
  await change('before');
  await settle(members);
  const loads = members.map(loadOf);
  for (const load of loads) load.start();
  const giveBack = await engine.takeAway();
  await sleep((seconds * 1000) / 2);
  const refused = await change('meanwhile');
  // Stop the load on this member before killing the member. The load resumes when the member is ready again.
  const ended = await (loads[2] as SteadyLoad).stop();
  await last.kill();
  const began = performance.now();
  await last.run();
  const restarted = performance.now() - began;
  const restartedProcessor = last.processorTime();
  await until(async () => (await last.state()).applied === 2, 'the member has applied it', 10_000).catch(() => null);
  const state = await last.state();
  const another = loadOf(last);
  another.start();
  await sleep((seconds * 1000) / 2);
  const back = performance.now();
  await giveBack();
  while ((await change('after')) !== 200 && performance.now() - back < 60_000) await sleep(10);
  const returned = performance.now() - back;
  const states = await settle(members);
  const running = [...loads.slice(0, 2), another];
  const results: readonly LoadResult[] = [ended, ...(await Promise.all(running.map((load) => load.stop())))];
  const failures: Record<string, number> = {};
  for (const result of results)
    for (const [what, count] of Object.entries(result.failures)) failures[what] = (failures[what] ?? 0) + count;
  return {
    requests: results.reduce((sum, { responded }) => sum + responded, 0),
    failures,
    refused,
    restarted: Math.round(restarted),
    restartedProcessor: Math.round(restartedProcessor),
    returned: Math.round(returned),
    problems: [
      ...(Object.keys(failures).length === 0 ? [] : [`requests failed: ${JSON.stringify(failures)}`]),
      ...(refused === 503 ? [] : [`a change during the outage got status ${refused}`]),
      ...(state.applied === 2 ? [] : [`the restarted member has revision ${state.applied}, not 2`]),
      ...(states.every(({ applied }) => applied === 3) ? [] : ['not all members have applied the change after it']),
    ],
  };
}
