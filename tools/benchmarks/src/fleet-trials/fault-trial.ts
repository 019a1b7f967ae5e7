/** Changes from many writers while members and the store fail: what was promised has to hold of the whole history. */
import type { Json } from '@sluice/base';
import { hashNode } from '@sluice/engine';
import { Breaker, memberFaults } from './breaker.ts';
import type { StoreEngine } from './engines/engine.ts';
import { startFleet, type Fleet } from './fleet-of-members.ts';
import type { Change, History, Revision } from './history/call.ts';
import { documentsOf, problemsIn } from './history/check.ts';
import { Porcupine, type Verdict } from './history/porcupine.ts';
import type { MemberProcess, MemberState } from './member-process.ts';
import { Random } from './random.ts';
import { until } from './until.ts';
import { Writers, writtenRoutes } from './writers.ts';

/** Sizes. */
export interface FaultPlan {
  readonly seed: number;
  readonly members: number;
  readonly writers: number;
  /** At most 1,200, as a fleet keeps so many revisions for sure. */
  readonly changes: number;
  /** Milliseconds that a writer rests between two requests, at most. */
  readonly rest: number;
  /** Milliseconds that something is broken, and whole, at most. */
  readonly broken: number;
  readonly whole: number;
}

/** As the issue wants it. */
export const fullFaultPlan: FaultPlan = {
  seed: 1,
  members: 3,
  writers: 16,
  changes: 1000,
  rest: 2000,
  broken: 3000,
  whole: 1500,
};

/** What came of it. */
export interface FaultReport {
  readonly committed: number;
  readonly refused: number;
  readonly unknown: number;
  readonly reads: number;
  readonly revisions: number;
  readonly faults: number;
  /** How often what happened, by its name. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Milliseconds from the end of the last fault until all members had one document, that of the last revision. */
  readonly settled: number;
  readonly seconds: number;
  readonly porcupine: Verdict;
  /** What does not hold, in words. */
  readonly problems: readonly string[];
}

/** Runs it with an engine, which is left running. `command` is the server. */
export async function tryFaults(
  engine: StoreEngine,
  command: readonly string[],
  plan: FaultPlan,
): Promise<FaultReport> {
  const random = new Random(plan.seed);
  const fleet = await startFleet({
    command,
    members: plan.members,
    address: () => engine.address(`trial-${plan.seed}`),
    document: { routes: writtenRoutes() },
  });
  try {
    return await runTrial(engine, fleet, plan, random);
  } finally {
    await fleet.stop();
  }
}

async function runTrial(
  engine: StoreEngine,
  { members }: Fleet,
  plan: FaultPlan,
  random: Random,
): Promise<FaultReport> {
  const began = performance.now();
  const writers = new Writers({ ...plan, members, random: random.fork() });
  const breaker = new Breaker();
  const strikes = [
    breaker.strike(memberFaults(members), random.fork(), plan),
    breaker.strike(engine.faults, random.fork(), plan),
  ];
  await writers.write();
  breaker.end();
  await Promise.all(strikes);
  const states = await settle(members);
  const settled = performance.now() - breaker.over;
  const revisions = await wholeHistory(members[0] as MemberProcess);
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
    problems: [...problemsIn(history), ...endProblems(history, states)],
  };
}

/** Waits until all members have one document; what they say of themselves then, or after a while. */
async function settle(members: readonly MemberProcess[]): Promise<readonly MemberState[]> {
  let states: readonly MemberState[] = [];
  const areOne = async (): Promise<boolean> => {
    states = await Promise.all(members.map((member) => member.state()));
    const places = states.map(({ hash, document, known, applied }) => [hash, document, known, applied].join());
    return new Set(places).size === 1 && states.every(({ known, applied }) => known === applied);
  };
  await until(areOne, 'all members have one document', 30_000).catch(() => undefined);
  return states;
}

function endProblems(history: History, states: readonly MemberState[]): string[] {
  let last: Json = null;
  for (const document of documentsOf(history)) last = document;
  return states.flatMap((state, i) => {
    if (state.forked !== undefined) return [`m${i} is forked: ${JSON.stringify(state.forked)}`];
    if (state.rejected !== undefined) return [`m${i} could not apply: ${JSON.stringify(state.rejected)}`];
    if (state.applied !== history.revisions.length)
      return [`m${i} is at revision ${state.applied} of ${history.revisions.length}`];
    return state.document === hashNode(last) ? [] : [`m${i} has another document than the history leads to`];
  });
}

/** From the first revision on. */
export async function wholeHistory(member: MemberProcess): Promise<readonly Revision[]> {
  const all: Revision[] = [];
  for (let before = ''; ; before = `?before=${all.at(-1)?.revision}`) {
    const { status, text } = await member.ask({ path: `/fleet/history${before}` });
    if (status !== 200) throw new Error(`the history cannot be read: ${status} ${text}`);
    const page = JSON.parse(text) as readonly Revision[];
    all.push(...page);
    if (page.length === 0 || all.at(-1)?.revision === 1) return all.toReversed();
  }
}
