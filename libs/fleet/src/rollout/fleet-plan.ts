/** Rollout plans for the members of a fleet. */
import { isWithinFirst, parsePlan, planError, type Plan } from '@sluice/rollout';

/** Parses a rollout plan. Throws an error with status 400 if the plan is invalid. */
export function fleetPlan(text: string): Plan {
  const plan = parsePlan(text);
  if (plan.key !== undefined && !plan.stages.some(isWithinFirst))
    throw planError(text, 'in a fleet, "by" applies only to steps within the first member: add "first="');
  return plan;
}
