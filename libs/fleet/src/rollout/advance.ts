/**
 * How a roll-out goes on: from how far it is and what members tell to how far it is then. It knows neither store nor clock, so that
 * whoever coordinates decides alike, and a thousand runs take a second.
 */
import type { TrafficCounts } from '@sluice/contracts';
import { formatStage } from './plan.ts';
import type { Observed } from './reports.ts';
import type { RolloutChange, RolloutState } from './rollout.ts';
import { addTraffic, leastRequests, noTraffic, worseOf } from './traffic.ts';
import { membersOf } from './waves.ts';

/** A member that tries the change and was not heard of for so many beats may be dead: no stage is passed until that is known. */
const mostSilent = 5;

/** Between two looks at the statistics, and how long the members of a stage may take to load the change, in milliseconds. */
const times = { look: 5000, load: 30_000 };

/** What operators have asked for: by whom. */
export interface Orders {
  readonly abort: string | null;
  readonly pause: string | null;
  /** The stages that are to be passed whatever was counted. */
  readonly passed: ReadonlySet<number>;
}

/** What a coordinator sees. */
export interface Observation {
  readonly members: readonly Observed[];
  readonly orders: Orders;
  /** Whether the log still ends where the roll-out began. */
  readonly isAtBase: boolean;
  /** Milliseconds since the last look of this coordinator. */
  readonly elapsed: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The first state; `null` where there are too few members to compare any with others. */
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

/** The state after an observation; the same one where nothing changes but the time. */
export function advance(change: RolloutChange, state: RolloutState, seen: Observation): RolloutState {
  if (state.phase !== 'spreading' && state.phase !== 'holding' && state.phase !== 'paused') return state;
  const wrong = trouble(state, seen);
  if (wrong !== null) return takenBack(state, wrong, seen.now);
  return state.phase === 'spreading' ? spread(state, seen) : hold(change, state, seen);
}

/** Ends a roll-out. */
export function takenBack(state: RolloutState, why: string, now: number): RolloutState {
  return { ...state, phase: 'taken_back', why, decided: now };
}

/** What takes a roll-out back at once. */
function trouble(state: RolloutState, { orders, isAtBase, members }: Observation): string | null {
  if (orders.abort !== null) return `aborted by ${orders.abort}`;
  if (!isAtBase) return 'the configuration was changed meanwhile';
  for (const [name, instance] of Object.entries(state.members)) {
    const member = members.find((each) => each.name === name);
    if (member?.instance !== instance) return `${name} has left the fleet, or was started again`;
    const report = member.report?.id === state.id ? member.report : null;
    if (report?.has === 'failed') {
      const where = report.path === null ? '' : `${report.path}: `;
      return `${name} could not load it: ${where}${report.message ?? 'it did not say why'}`;
    }
    if (report !== null && report.lost > 0) return `${name} lost a worker`;
    if (state.phase !== 'spreading' && report?.has !== 'new') return `${name} does not have it any more`;
  }
  return null;
}

function spread(state: RolloutState, { members, elapsed, now }: Observation): RolloutState {
  const waited = state.waited + elapsed;
  const late = Object.keys(state.members).filter((name) => !has(state, members, name));
  if (late.length === 0) return { ...state, phase: 'holding', window: state.window + 1, held: 0, waited: 0 };
  if (waited < times.load) return { ...state, waited };
  return takenBack(state, `${late.join(', ')} did not load it within ${times.load / 1000} s`, now);
}

function has({ id }: RolloutState, members: readonly Observed[], name: string): boolean {
  const report = members.find((each) => each.name === name)?.report;
  return report?.id === id && report.has === 'new';
}

function hold(change: RolloutChange, before: RolloutState, observation: Observation): RolloutState {
  const { members, orders, elapsed, now } = observation;
  const traffic = { new: trafficOf(before, members, true), old: trafficOf(before, members, false) };
  const held = orders.pause === null ? before.held + elapsed : before.held;
  const waited = before.waited + elapsed;
  const state = { ...before, held, waited, seen: { new: countsOf(traffic.new), old: countsOf(traffic.old) } };
  const missing = silentOf(state, members) ?? (orders.passed.has(state.stage) ? null : missingFor(change, state));
  const isEnd = held >= change.plan.hold && missing === null && orders.pause === null;
  if (isEnd || Math.floor(waited / times.look) > Math.floor(before.waited / times.look)) {
    const worse = worseOf(traffic.new, traffic.old, isEnd);
    if (worse !== null) return takenBack(state, worse, now);
  }
  if (orders.pause !== null) return { ...state, phase: 'paused', why: `paused by ${orders.pause}` };
  if (held < change.plan.hold) return { ...state, phase: 'holding', why: null };
  return missing === null ? nextStage(change, state, observation) : { ...state, phase: 'paused', why: missing };
}

/** Who has not been heard of; `null` for no one. */
function silentOf({ members: chosen, beat }: RolloutState, members: readonly Observed[]): string | null {
  const silent = members.filter(
    ({ name, report }) => Object.hasOwn(chosen, name) && (report?.heard ?? 0) < beat - mostSilent,
  );
  return silent.length === 0 ? null : `nothing is heard of ${silent.map(({ name }) => name).join(', ')} for a moment`;
}

/** What is not known yet at the end of a stage; `null` for nothing. */
function missingFor({ plan }: RolloutChange, { stage, seen }: RolloutState): string | null {
  const least = Math.min(seen.new.requests, seen.old.requests);
  if (least >= leastRequests) return null;
  const side = seen.new.requests < leastRequests ? 'with' : 'without';
  return `too few requests to judge stage ${formatStage(plan.stages[stage])}: ${least} of ${leastRequests} to what changed, by members ${side} the change`;
}

/** Gives the change to more members; to all by way of the log, where none would be left to compare with. */
function nextStage(
  change: RolloutChange,
  state: RolloutState,
  { members, now }: Pick<Observation, 'members' | 'now'>,
): RolloutState {
  const chosen = Object.keys(state.members);
  const present = members.filter(({ isFit }) => isFit).map(({ name }) => name);
  for (let stage = state.stage + 1; stage < change.plan.stages.length; stage++) {
    const names = membersOf(change.plan.stages[stage], change.id, present, chosen);
    if (names.length >= new Set([...present, ...chosen]).size) break;
    if (names.length === chosen.length) continue;
    const lives = new Map(members.map(({ name, instance }) => [name, instance]));
    const next = Object.fromEntries(names.map((name) => [name, state.members[name] ?? (lives.get(name) as string)]));
    return { ...state, phase: 'spreading', stage, members: next, held: 0, waited: 0, why: null };
  }
  return { ...state, phase: 'promoting', why: null, decided: now };
}

function trafficOf(
  { id, window, members: chosen }: RolloutState,
  members: readonly Observed[],
  isNew: boolean,
): TrafficCounts {
  return members
    .filter(
      ({ name, report }) => Object.hasOwn(chosen, name) === isNew && report?.id === id && report.window === window,
    )
    .reduce((sum, { report }) => addTraffic(sum, report?.traffic ?? noTraffic), noTraffic);
}

function countsOf({ requests, failures }: TrafficCounts): { readonly requests: number; readonly failures: number } {
  return { requests, failures };
}
