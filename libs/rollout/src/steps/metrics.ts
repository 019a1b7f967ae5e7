/** Metrics of rollouts in steps. */
import { declareCounter, declareGauge, type FamilyDescription, type Metrics } from '@sluice/telemetry';
import type { StepRollouts } from './rollouts.ts';
import { isActive, noSides, phases, shareOf } from './state.ts';

export const rolloutMetrics = {
  rollouts: declareCounter('sluice_rollouts_total', 'Rollouts in steps that have ended.', ['outcome']),
  phase: declareGauge('sluice_rollout', 'Whether a rollout in steps is in this phase.', ['phase']),
  share: declareGauge('sluice_rollout_share_ratio', 'Share of the clients that have the change of the rollout.'),
  requests: declareGauge(
    'sluice_rollout_requests',
    'Requests to the changed parts in the current stage, with and without the change.',
    ['side'],
  ),
  failures: declareGauge(
    'sluice_rollout_failures',
    'Requests to the changed parts in the current stage that failed with 5xx, with and without the change.',
    ['side'],
  ),
} satisfies Readonly<Record<string, FamilyDescription>>;

/** Collects the metrics of a server's rollouts. */
export function collectRollouts(metrics: Metrics, rollouts: StepRollouts): void {
  const of = rolloutMetrics;
  metrics.onCollect(() => {
    const { last, ended } = rollouts;
    for (const [outcome, count] of Object.entries(ended)) metrics.family(of.rollouts).with(outcome).set(count);
    for (const phase of phases)
      metrics
        .family(of.phase)
        .with(phase)
        .set(last?.phase === phase ? 1 : 0);
    const share = last?.phase === 'promoted' ? 1 : isActive(last) ? shareOf(last.change.plan, last.stage) : 0;
    metrics.family(of.share).with().set(share);
    const sides = last?.steps.at(-1) ?? noSides;
    for (const side of ['new', 'old'] as const) {
      metrics.family(of.requests).with(side).set(sides[side].requests);
      metrics.family(of.failures).with(side).set(sides[side].failures);
    }
  });
}
