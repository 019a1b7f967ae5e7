/** Formats rollouts for API responses. */
import type { JsonObject } from '@sluice/base';
import { formatPlan, formatStage } from '@sluice/rollout';
import type { Rollout } from './rollouts.ts';

export function shownRollout({ state, change }: Rollout): JsonObject {
  const { id, phase, stage, members, held, coordinator, why, decided, revision, seen } = state;
  return {
    id,
    state: phase,
    ...(why === null ? {} : { why }),
    ...(revision === null ? {} : { revision }),
    ...(decided === null ? {} : { decided: new Date(decided).toISOString() }),
    stage,
    held_seconds: held / 1000,
    members: Object.keys(members),
    coordinator,
    seen: { new: { ...seen.new }, old: { ...seen.old } },
    ...(change === null
      ? {}
      : {
          plan: formatPlan(change.plan),
          stages: [...change.plan.stages.map(formatStage), formatStage(undefined)],
          hold_seconds: change.plan.hold / 1000,
          base: change.base.rev,
          by: change.who,
          time: new Date(change.when).toISOString(),
          patch: change.patch,
        }),
  };
}
