/**
 * Fleet trial of rollouts with real requests. A change that fails more often than the old version must be rolled back. A change that fails
 * as often as the old version must not be rolled back. A change of a route that receives no requests must wait. If the coordinator is
 * killed, members soon serve a single version again. Connections unrelated to the changes stay open.
 */
import { CanaryFleet, type CanaryFleetPlan } from './canary-fleet.ts';
import { compare, killCoordinator, tryUnseen, type CanarySizes, type Ended, type Killed } from './canary-runs.ts';
import type { StoreEngine } from './engines/engine.ts';
import { heldProblems, type HeldPlan, type HeldResult } from './held-connections.ts';
import { Random } from './random.ts';

export interface CanaryPlan extends CanarySizes, HeldPlan {
  readonly seed: number;
  /** Number of runs of each kind. */
  readonly canaries: number;
  /** Number of fleets that share the runs and work in parallel. */
  readonly fleets: number;
}

/** Parameters of the full rollout trial. */
export const fullCanaryPlan: CanaryPlan = {
  seed: 1,
  canaries: 10,
  fleets: 5,
  rate: 10,
  failing: 0.05,
  equal: 0.01,
  hold: 30,
  killedHold: 10,
  grace: 10,
  killedRate: 60,
  tunnels: 20,
  streams: 5,
};

/** Results of the rollout trial. Counts are numbers of runs, and times are in seconds. */
export interface CanaryReport {
  readonly runs: number;
  /** Failing changes: the number of rollbacks, and the longest time until a rollback. */
  readonly failing: { readonly takenBack: number; readonly slowest: number };
  /** Changes that fail as often as the old version: the number of rollbacks, and the number of promotions. */
  readonly equal: { readonly takenBack: number; readonly promoted: number };
  /** Number of paused changes of routes that receive no requests. */
  readonly unseen: { readonly paused: number };
  /** Runs in which the coordinator was killed: the longest time with two versions, and the number of runs for each outcome. */
  readonly killed: { readonly maxMixture: number; readonly promoted: number; readonly takenBack: number };
  /** Number of upgraded connections and event streams that stayed open throughout the trial. */
  readonly held: { readonly tunnels: number; readonly streams: number };
  readonly problems: readonly string[];
}

/** Results of one of the fleets. */
interface Part {
  readonly failing: Ended[];
  readonly equal: Ended[];
  readonly unseen: Ended[];
  readonly killed: Killed[];
  readonly held: HeldResult | null;
}

/** Runs the rollout trial with a fleet store. The store keeps running after the trial. `command` starts the server. */
export async function tryCanaries(
  engine: StoreEngine,
  command: readonly string[],
  plan: CanaryPlan,
): Promise<CanaryReport> {
  const random = new Random(plan.seed);
  const fleets = Math.min(plan.fleets, plan.canaries);
  const parts = await Promise.all(
    Array.from({ length: fleets }, async (_, i) => {
      const { tunnels, streams } = plan;
      const made = { cluster: `canary-${plan.seed}-${i}`, random: random.fork(), tunnels, streams };
      const runs = Math.floor(plan.canaries / fleets) + (i < plan.canaries % fleets ? 1 : 0);
      return playPart([engine, command], made, { plan, runs });
    }),
  );
  const all = <K extends 'failing' | 'equal' | 'unseen' | 'killed'>(kind: K): Part[K][number][] =>
    parts.flatMap((part) => part[kind] as Part[K][number][]);
  const count = (runs: readonly Ended[], state: string): number => runs.filter((run) => run.state === state).length;
  const killed = parts.flatMap((part) => part.killed);
  return {
    runs: plan.canaries,
    failing: {
      takenBack: count(all('failing'), 'taken_back'),
      slowest: Math.max(...all('failing').map(({ seconds }) => seconds)),
    },
    equal: { takenBack: count(all('equal'), 'taken_back'), promoted: count(all('equal'), 'promoted') },
    unseen: { paused: count(all('unseen'), 'paused') },
    killed: {
      maxMixture: Math.max(...killed.map(({ mixed }) => mixed)),
      promoted: count(killed, 'promoted'),
      takenBack: count(killed, 'taken_back'),
    },
    held: {
      tunnels: parts.reduce((sum, { held }) => sum + open(held?.tunnels), 0),
      streams: parts.reduce((sum, { held }) => sum + open(held?.streams), 0),
    },
    problems: parts.flatMap((part) => problemsOf(part, plan)),
  };
}

/** Performs a number of rollouts of each kind on one fleet, one after another. */
async function playPart(
  [engine, command]: readonly [StoreEngine, readonly string[]],
  made: CanaryFleetPlan,
  { plan, runs }: { readonly plan: CanaryPlan; readonly runs: number },
): Promise<Part> {
  const fleet = await CanaryFleet.start(engine, command, made);
  const part: Omit<Part, 'held'> = { failing: [], equal: [], unseen: [], killed: [] };
  let held: HeldResult | null = null;
  try {
    for (let run = 0; run < runs; run++) {
      part.failing.push(await compare(fleet, plan, { old: 0, new: plan.failing }));
      part.equal.push(await compare(fleet, plan, { old: plan.equal, new: plan.equal }));
      part.unseen.push(await tryUnseen(fleet, plan));
      part.killed.push(await killCoordinator(fleet, plan, made.random));
    }
  } finally {
    held = await fleet.stop();
  }
  return { ...part, held };
}

function problemsOf({ failing, equal, unseen, killed, held }: Part, plan: CanaryPlan): readonly string[] {
  const said = ({ state, why }: Ended): string => `${state}${why === '' ? '' : `: ${why}`}`;
  const limit = plan.killedHold + plan.grace;
  const isPaused = ({ state, why }: Ended): boolean => state === 'paused' && why.includes('too few requests');
  return [
    ...failing.filter(({ state }) => state !== 'taken_back').map((run) => `a failing change was ${said(run)}`),
    ...equal.filter(({ state }) => state !== 'promoted').map((run) => `a harmless change was ${said(run)}`),
    ...unseen.filter((run) => !isPaused(run)).map((run) => `a change without traffic was ${said(run)}`),
    ...killed
      .filter(({ mixed, state }) => mixed > limit || (state !== 'promoted' && state !== 'taken_back'))
      .map((run) => `${run.mixed} s after the coordinator was killed, members have different versions: ${said(run)}`),
    ...heldProblems(held, plan),
  ];
}

function open(result: { readonly opened: number; readonly closed: number } | undefined): number {
  return result === undefined ? 0 : result.opened - result.closed;
}
