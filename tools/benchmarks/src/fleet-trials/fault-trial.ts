/**
 * Fleet trial in which many writers make changes while members and the store fail. The whole history must satisfy the guarantees of a
 * fleet.
 */
import type { Json } from '@sluice/base';
import { hashNode } from '@sluice/reconciler';
import { Breaker, memberFaults } from './breaker.ts';
import { stopped } from './engines/common-faults.ts';
import type { StoreEngine } from './engines/engine.ts';
import { startFleet, type Fleet } from './fleet-of-members.ts';
import { HeldConnections, heldProblems, type HeldResult } from './held-connections.ts';
import type { Change, History } from './history/call.ts';
import { documentsOf, problemsIn } from './history/check.ts';
import { Porcupine, type Verdict } from './history/porcupine.ts';
import type { MemberProcess, MemberState } from './member-process.ts';
import { historySince, settle } from './observe.ts';
import { Random } from './random.ts';
import { Writers, writtenRoutes } from './writers.ts';

export interface FaultPlan {
  readonly seed: number;
  readonly members: number;
  readonly writers: number;
  /** Number of changes. At most 1,200, the number of revisions that a fleet is guaranteed to keep. */
  readonly changes: number;
  /** Maximum pause of a writer between two requests, in milliseconds. */
  readonly rest: number;
  /** Maximum duration of a fault, and maximum pause after it, in milliseconds. */
  readonly broken: number;
  readonly whole: number;
  /** Number of upgraded connections and event streams through the first member. If there are any, that member is suspended but never killed. */
  readonly tunnels: number;
  readonly streams: number;
}

/** Parameters of the full fault trial. */
export const fullFaultPlan: FaultPlan = {
  seed: 1,
  members: 3,
  writers: 16,
  changes: 1000,
  rest: 2000,
  broken: 3000,
  whole: 1500,
  tunnels: 0,
  streams: 0,
};

export interface FaultReport {
  readonly committed: number;
  readonly refused: number;
  readonly unknown: number;
  readonly reads: number;
  readonly revisions: number;
  readonly faults: number;
  /** Number of times that each fault occurred, keyed by fault. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Time from the end of the last fault until all members had the document of the last revision, in milliseconds. */
  readonly settled: number;
  readonly seconds: number;
  readonly porcupine: Verdict;
  /** Results of the long-lived connections, or `null` if there were none. */
  readonly connections: HeldResult | null;
  /** Descriptions of the violated guarantees. */
  readonly problems: readonly string[];
}

/** Runs the fault trial with a fleet store. The store keeps running after the trial. `command` starts the server. */
export async function tryFaults(
  engine: StoreEngine,
  command: readonly string[],
  plan: FaultPlan,
): Promise<FaultReport> {
  const held = plan.tunnels + plan.streams > 0 ? await HeldConnections.start(plan) : null;
  try {
    const fleet = await startFleet({
      command,
      members: plan.members,
      address: () => engine.address(`faults-${plan.seed}`),
      document: { routes: writtenRoutes(held === null ? [] : [held.route]) },
    });
    try {
      return await runTrial(engine, fleet, { plan, held });
    } finally {
      await fleet.stop();
    }
  } finally {
    await held?.stop();
  }
}

/** State of one fault trial. */
interface Trial {
  readonly plan: FaultPlan;
  readonly held: HeldConnections | null;
}

async function runTrial(engine: StoreEngine, { members }: Fleet, { plan, held }: Trial): Promise<FaultReport> {
  const began = performance.now();
  const random = new Random(plan.seed);
  const [first, ...others] = members as [MemberProcess, ...MemberProcess[]];
  await held?.open(first.httpPort);
  const writers = new Writers({ ...plan, members, random: random.fork() });
  const breaker = new Breaker();
  const faults = held === null ? memberFaults(members) : [stopped('member m0', first), ...memberFaults(others)];
  const strikes = [breaker.strike(faults, random.fork(), plan), breaker.strike(engine.faults, random.fork(), plan)];
  await Promise.all([writers.write().finally(() => breaker.end()), ...strikes]);
  const states = await settle(members);
  const settled = performance.now() - breaker.over;
  const connections = (await held?.stop()) ?? null;
  const revisions = await historySince(first, 0);
  const history = { changes: writers.changes, reads: writers.reads, revisions };
  const porcupine = new Porcupine();
  const verdict = porcupine.check(history);
  porcupine.close();
  const count = (outcome: Change['outcome']): number =>
    writers.changes.filter((change) => change.outcome === outcome).length;
  return {
    committed: count('committed'),
    refused: count('refused'),
    unknown: count('unknown'),
    reads: writers.reads.length,
    revisions: revisions.length,
    faults: breaker.struck,
    kinds: Object.fromEntries([...breaker.counts].toSorted(([a], [b]) => a.localeCompare(b))),
    settled: Math.round(settled),
    seconds: Math.round((performance.now() - began) / 1000),
    porcupine: verdict,
    connections,
    problems: [
      ...problemsIn(history),
      ...(verdict === 'refused' || verdict === 'undecided' ? [`Porcupine: ${verdict}`] : []),
      ...endProblems(history, states),
      ...heldProblems(connections, plan),
    ],
  };
}

function endProblems(history: History, states: readonly MemberState[]): string[] {
  let last: Json = null;
  for (const document of documentsOf(history)) last = document;
  return states.flatMap((state, i) => {
    if (state.forked !== undefined) return [`m${i} is forked: ${JSON.stringify(state.forked)}`];
    if (state.rejected !== undefined) return [`m${i} could not apply: ${JSON.stringify(state.rejected)}`];
    if (state.applied !== history.revisions.length)
      return [`m${i} is at revision ${state.applied} of ${history.revisions.length}`];
    return state.document === hashNode(last) ? [] : [`m${i}'s document differs from the one in the history`];
  });
}
