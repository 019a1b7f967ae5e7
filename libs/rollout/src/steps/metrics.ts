/** Declares the metrics of gradual rollouts. */
import { declareCounter, declareGauge, type FamilyDescription, type Metrics } from '@sluice/telemetry';
import { isActive, noSides, phases, shareOf, type StepsState } from './state.ts';

export const rolloutMetrics = {
  rollouts: declareCounter('sluice_rollouts_total', 'Total number of completed gradual rollouts on this server.', [
    'outcome',
  ]),
  phase: declareGauge('sluice_rollout', '1 if a gradual rollout on this server is in this phase, otherwise 0.', [
    'phase',
  ]),
  share: declareGauge(
    'sluice_rollout_share_ratio',
    'Fraction of clients that currently receive the change of a gradual rollout.',
  ),
  requests: declareGauge(
    'sluice_rollout_requests',
    'Number of requests to changed routes in the current rollout stage, with and without the change.',
    ['side'],
  ),
  failures: declareGauge(
    'sluice_rollout_failures',
    'Number of 5xx responses from changed routes in the current rollout stage, for requests with and without the change.',
    ['side'],
  ),
} satisfies Readonly<Record<string, FamilyDescription>>;

interface Rollouts {
  readonly ended: Readonly<Record<string, number>>;
  readonly last: StepsState | null;
}

/** Collects metrics about a server's rollouts. */
export function collectRollouts(metrics: Metrics, rollouts: Rollouts): void {
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
