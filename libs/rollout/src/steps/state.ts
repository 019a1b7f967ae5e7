/** State of a gradual rollout. */
import type { JsonObject } from '@sluice/base';
import type { SideCounts, TrafficCounts } from '@sluice/contracts';
import type { PatchOperation } from '@sluice/registry';
import { formatKey, formatPlan, formatStage, holdOf, type Plan } from '../plan.ts';
import { noTraffic, shownTraffic } from '../traffic.ts';

/**
 * Phases of a rollout. `holding`: both configurations serve requests and are compared. `paused`: like `holding`, but without advancing.
 * `promoting`: the change is being applied. The last two phases are final.
 */
export const phases = ['holding', 'paused', 'promoting', 'promoted', 'taken_back'] as const;

export type Phase = (typeof phases)[number];

export interface Sides {
  readonly new: TrafficCounts;
  readonly old: TrafficCounts;
}

export const noSides: Sides = { new: noTraffic, old: noTraffic };

export const noCounts: SideCounts = { ...noSides, cells: [] };

/** A stage that has begun. Times are in milliseconds since the Unix epoch. */
export interface Step extends Sides {
  readonly stage: number;
  readonly began: number;
  readonly ended: number | null;
}

/** The change that is being rolled out. */
export interface StepsChange {
  readonly id: string;
  readonly plan: Plan;
  readonly origin: string;
  /** Name of the client's token; `null` if authentication is disabled. */
  readonly by: string | null;
  /** Time of the rollout request, in milliseconds since the Unix epoch. */
  readonly when: number;
  /** Revision on which the change is based. */
  readonly base: number;
  readonly patch: readonly PatchOperation[];
}

export interface StepsState {
  readonly change: StepsChange;
  readonly phase: Phase;
  readonly stage: number;
  /** Durations in milliseconds: observation time of the stage, and time since the stage began. */
  readonly held: number;
  readonly waited: number;
  /** Reason for a pause or a rollback. */
  readonly why: string | null;
  /** Time of the final decision, in milliseconds since the Unix epoch. */
  readonly decided: number | null;
  /** Time from the decision until no more requests reached the change, in milliseconds. */
  readonly reverted: number | null;
  /** Revision of the applied change; `null` until it is applied. */
  readonly revision: number | null;
  readonly steps: readonly Step[];
}

export function begun(change: StepsChange): StepsState {
  const none = { why: null, decided: null, reverted: null, revision: null };
  const state: StepsState = { change, phase: 'holding', stage: -1, held: 0, waited: 0, ...none, steps: [] };
  return nextStep(state, change.when);
}

/** Returns the state after the start of the next stage. */
export function nextStep(state: StepsState, now: number): StepsState {
  const stage = state.stage + 1;
  const steps = [...endSteps(state.steps, now), { stage, began: now, ended: null, ...noSides }];
  return { ...state, phase: 'holding', stage, held: 0, waited: 0, why: null, steps };
}

/** Returns the state after the final decision to promote or roll back the change. */
export function decidedTo(
  state: StepsState,
  phase: 'promoting' | 'taken_back',
  why: string | null,
  now: number,
): StepsState {
  return { ...state, phase, why, decided: now, steps: endSteps(state.steps, now) };
}

/** Returns the state of a rollout whose process exited. `now` is the time when this was detected. */
export function aborted(state: StepsState, now: number): StepsState {
  const why =
    state.phase === 'promoting'
      ? 'the server exited while the change was being applied; see the history to check whether it was applied'
      : 'the server exited during the rollout';
  return decidedTo(state, 'taken_back', why, now);
}

/** Replaces the request counts of the current stage. */
export function seen(state: StepsState, sides: Sides): StepsState {
  const steps = state.steps.map((step, i) => (i === state.steps.length - 1 ? { ...step, ...sides } : step));
  return { ...state, steps };
}

function endSteps(steps: readonly Step[], now: number): readonly Step[] {
  return steps.map((step) => (step.ended === null ? { ...step, ended: now } : step));
}

export function isActive(state: StepsState | null): state is StepsState {
  return state !== null && state.phase !== 'promoted' && state.phase !== 'taken_back';
}

/** Returns the share of clients in a stage, from 0 to 1. */
export function shareOf({ stages }: Plan, stage: number): number {
  const found = stages[stage];
  return found !== undefined && 'percent' in found ? found.percent / 100 : 0;
}

/** Formats a rollout for responses, in the format of `GET /fleet/rollout`. */
export function shownSteps({
  change,
  phase,
  stage,
  held,
  why,
  decided,
  reverted,
  revision,
  steps,
}: StepsState): JsonObject {
  const { id, plan, base, by, origin, when, patch } = change;
  const time = (at: number): string => new Date(at).toISOString();
  const { new: now, old } = steps.at(-1) ?? noSides;
  return {
    id,
    state: phase,
    ...(why === null ? {} : { why }),
    ...(revision === null ? {} : { revision }),
    ...(decided === null ? {} : { decided: time(decided) }),
    ...(reverted === null ? {} : { reverted_ms: Math.round(reverted) }),
    stage,
    held_seconds: held / 1000,
    seen: { new: shownTraffic(now), old: shownTraffic(old) },
    plan: formatPlan(plan),
    stages: [...plan.stages.map(formatStage), formatStage(undefined)],
    hold_seconds: holdOf(plan, stage) / 1000,
    split_by: formatKey(plan.key ?? { of: 'connection' }),
    steps: steps.map((step) => ({
      stage: formatStage(plan.stages[step.stage]),
      began: time(step.began),
      ...(step.ended === null ? {} : { ended: time(step.ended) }),
      seen: { new: shownTraffic(step.new), old: shownTraffic(step.old) },
    })),
    base,
    ...(by === null ? {} : { by }),
    origin,
    time: time(when),
    patch: patch.map((operation) => ({ ...operation })),
  };
}
