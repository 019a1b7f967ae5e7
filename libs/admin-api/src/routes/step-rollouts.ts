/** Starts gradual rollouts. The server loads this module on first use. */
import { randomUUID } from 'node:crypto';
import type { ChangeOptions, ChangeResult, Edit } from '@sluice/reconciler';
import { shownSteps, stepRolloutsToken, stepsPlan, type StepsState } from '@sluice/rollout';
import type { ApiOptions } from '../api-options.ts';
import type { RequestedChange } from '../call.ts';
import { requestError } from '../errors.ts';
import type { AppliedEdit } from './applied-edit.ts';

/** A change that a client has requested to roll out gradually. */
export interface SteppedChange extends RequestedChange {
  readonly rollout: string;
  /** Callback invoked when the rollout has finished. */
  readonly onRolledOut?: (state: StepsState) => void;
}

/** Starts a gradual rollout of an edit. If `dryRun` is set, only tests the edit and the rollout plan. */
export async function rollOutInSteps(
  { reconciler }: ApiOptions,
  edit: Edit,
  { rollout: plan, onRolledOut, ...options }: SteppedChange,
  make: (options: ChangeOptions) => Promise<ChangeResult>,
): Promise<AppliedEdit> {
  const rollouts = reconciler.service(stepRolloutsToken);
  if (rollouts === undefined) throw requestError('rollout: this server does not support rollouts', 409);
  const rehearse = (): Promise<ChangeResult> => make({ ...options, dryRun: true });
  if (options.dryRun === true) {
    stepsPlan(plan);
    return { ...(await rehearse()), fleet: null };
  }
  const { op: id = randomUUID(), origin = 'api', by = null } = options;
  const state = await rollouts.begin({
    id,
    plan,
    origin,
    by,
    edit,
    rehearse,
    make: () => make({ ...options, origin: `${origin}, rolled out gradually`, endsCanary: true }),
    ...(onRolledOut === undefined ? {} : { onEnd: onRolledOut }),
  });
  const nothing = { operations: [], report: null, unconfirmed: null, unsaved: null };
  return { ...nothing, changed: state !== null, fleet: null, steps: state === null ? null : shownSteps(state) };
}
