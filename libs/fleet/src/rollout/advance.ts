/**
 * State machine of rollouts. Computes the next state from the current state and the reports of members. Uses neither the store nor the
 * clock, so all coordinators make the same decisions and simulations are fast.
 */
import type { TrafficCounts } from '@sluice/contracts';
import { addTraffic, formatStage, holdOf, isWithinFirst, judge, noTraffic, tooFewRequests } from '@sluice/rollout';
import type { Observed } from './reports.ts';
import type { RolloutChange, RolloutState } from './rollout.ts';
import { membersOf } from './waves.ts';

/**
 * Maximum number of missed heartbeats for a member that has the change. If a member misses more, it may be down. The rollout then waits
 * until the member responds or its lease expires.
 */
const maxMissedBeats = 5;

/** Times in milliseconds: the interval between statistical checks, and the maximum time for members to load the change. */
const times = { look: 5000, load: 30_000 };

/** Operator requests for a rollout, with the name of the operator. */
export interface Orders {
  readonly abort: string | null;
  readonly pause: string | null;
  /** Stages that an operator has approved. These stages do not require a minimum number of requests. */
  readonly passed: ReadonlySet<number>;
}

/** Input for a decision of the rollout coordinator. */
export interface Observation {
  readonly members: readonly Observed[];
  readonly orders: Orders;
  /** True if the log contains no entries after the base of the rollout. */
  readonly isAtBase: boolean;
  /** Time since the coordinator's last decision, in milliseconds. */
  readonly elapsed: number;
  /** Current time, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Returns the initial rollout state. Returns `null` if there are too few members for a comparison. */
export function begin(change: RolloutChange, coordinator: string, members: readonly Observed[]): RolloutState | null {
  const none = { requests: 0, failures: 0 };
  const before: RolloutState = {
    id: change.id,
    phase: 'spreading',
    stage: -1,
    members: {},
    window: 0,
    held: 0,
    waited: 0,
    beat: 1,
    coordinator,
    why: null,
    decided: null,
    revision: null,
    seen: { new: none, old: none },
  };
  const first = nextStage(change, before, { members, now: 0 });
  return first.phase === 'spreading' ? first : null;
}

/** Returns the rollout state after an observation. Returns the same object if only the time has changed. */
export function advance(change: RolloutChange, state: RolloutState, seen: Observation): RolloutState {
  if (state.phase !== 'spreading' && state.phase !== 'holding' && state.phase !== 'paused') return state;
  const wrong = trouble(state, seen);
  if (wrong !== null) return rolledBack(state, wrong, seen.now);
  return state.phase === 'spreading' ? spread(state, seen) : hold(change, state, seen);
}

export function rolledBack(state: RolloutState, why: string, now: number): RolloutState {
  return { ...state, phase: 'taken_back', why, decided: now };
}

/** Returns the reason for an immediate rollback. Returns `null` if there is none. */
function trouble(state: RolloutState, { orders, isAtBase, members }: Observation): string | null {
  if (orders.abort !== null) return `aborted by ${orders.abort}`;
  if (!isAtBase) return 'the configuration was changed during the rollout';
  for (const [name, instance] of Object.entries(state.members)) {
    const member = members.find((each) => each.name === name);
    if (member?.instance !== instance) return `${name} left the fleet or restarted`;
    const report = member.report?.id === state.id ? member.report : null;
    if (report?.has === 'failed') {
      const where = report.path === null ? '' : `${report.path}: `;
      return `${name} could not load the change: ${where}${report.message ?? 'no reason reported'}`;
    }
    if (report !== null && report.lost > 0) return `${name} lost a worker`;
    if (state.phase !== 'spreading' && report?.has !== 'new') return `${name} no longer has the change`;
  }
  return null;
}

function spread(state: RolloutState, { members, elapsed, now }: Observation): RolloutState {
  const waited = state.waited + elapsed;
  const late = Object.keys(state.members).filter((name) => !has(state, members, name));
  if (late.length === 0) return { ...state, phase: 'holding', window: state.window + 1, held: 0, waited: 0 };
  if (waited < times.load) return { ...state, waited };
  return rolledBack(state, `${late.join(', ')} did not load the change within ${times.load / 1000} s`, now);
}

function has({ id }: RolloutState, members: readonly Observed[], name: string): boolean {
  const report = members.find((each) => each.name === name)?.report;
  return report?.id === id && report.has === 'new';
}

function hold(change: RolloutChange, before: RolloutState, observation: Observation): RolloutState {
  const { members, orders, elapsed, now } = observation;
  const isShare = isWithinFirst(change.plan.stages[before.stage]);
  const traffic = {
    new: trafficOf(before, members, 'new'),
    old: trafficOf(before, members, isShare ? 'beside' : 'old'),
  };
  const held = orders.pause === null ? before.held + elapsed : before.held;
  const waited = before.waited + elapsed;
  const state = { ...before, held, waited, seen: { new: countsOf(traffic.new), old: countsOf(traffic.old) } };
  const hold = holdOf(change.plan, state.stage);
  const obstacle = silentOf(state, members);
  const { worse, lacking, isComplete } = judge({
    ...traffic,
    held,
    hold,
    waited,
    waitedBefore: before.waited,
    interval: times.look,
    isPaused: orders.pause !== null,
    isPassed: orders.passed.has(state.stage),
    obstacle,
    expected: change.plan.expected ?? [],
    cells: [],
  });
  if (worse !== null) return rolledBack(state, worse, now);
  if (orders.pause !== null) return { ...state, phase: 'paused', why: `paused by ${orders.pause}` };
  if (held < hold) return { ...state, phase: 'holding', why: null };
  if (isComplete) return nextStage(change, state, observation);
  return { ...state, phase: 'paused', why: obstacle ?? tooFew(change, state, lacking) };
}

/** Describes the members that do not respond. Returns `null` if all members respond. */
function silentOf({ members: chosen, beat }: RolloutState, members: readonly Observed[]): string | null {
  const silent = members.filter(
    ({ name, report }) => Object.hasOwn(chosen, name) && (report?.heard ?? 0) < beat - maxMissedBeats,
  );
  return silent.length === 0 ? null : `no report from ${silent.map(({ name }) => name).join(', ')}`;
}

function tooFew({ plan }: RolloutChange, { stage, seen }: RolloutState, lacking: 'new' | 'old' | null): string {
  const fewest = Math.min(seen.new.requests, seen.old.requests);
  const side = lacking === 'new' ? 'with' : 'without';
  const where = isWithinFirst(plan.stages[stage]) ? `on the first member, ${side}` : `on members ${side}`;
  return tooFewRequests(formatStage(plan.stages[stage]), fewest, `${where} the change`);
}

/** Extends the change to more members. If no members would remain for a comparison, commits the change to the log instead. */
function nextStage(
  change: RolloutChange,
  state: RolloutState,
  { members, now }: Pick<Observation, 'members' | 'now'>,
): RolloutState {
  const chosen = Object.keys(state.members);
  const present = members.filter(({ isFit }) => isFit).map(({ name }) => name);
  for (let stage = state.stage + 1; stage < change.plan.stages.length; stage++) {
    const { stages } = change.plan;
    const names = membersOf(stages[stage], change.id, present, chosen);
    if (!isWithinFirst(stages[stage])) {
      if (names.length >= new Set([...present, ...chosen]).size) break;
      // Before adding members, roll out the change to all clients of the first member. The first stages may cover only some of these
      // clients.
      if (names.length === chosen.length && !isWithinFirst(stages[state.stage])) continue;
    } else if (names.length === 0) break;
    const lives = new Map(members.map(({ name, instance }) => [name, instance]));
    const next = Object.fromEntries(names.map((name) => [name, state.members[name] ?? (lives.get(name) as string)]));
    return { ...state, phase: 'spreading', stage, members: next, held: 0, waited: 0, why: null };
  }
  return { ...state, phase: 'promoting', why: null, decided: now };
}

/**
 * Adds up the counters of members that have the change, or of members that don't. If `beside` is set, adds up requests from clients without
 * the change, on members that serve the change to other clients.
 */
function trafficOf(
  { id, window, members: chosen }: RolloutState,
  members: readonly Observed[],
  side: 'new' | 'old' | 'beside',
): TrafficCounts {
  return members
    .filter(
      ({ name, report }) =>
        Object.hasOwn(chosen, name) === (side !== 'old') && report?.id === id && report.window === window,
    )
    .reduce(
      (sum, { report }) => addTraffic(sum, (side === 'beside' ? report?.beside : report?.traffic) ?? noTraffic),
      noTraffic,
    );
}

function countsOf({ requests, failures }: TrafficCounts): { readonly requests: number; readonly failures: number } {
  return { requests, failures };
}
