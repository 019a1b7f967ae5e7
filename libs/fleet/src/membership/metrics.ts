/** Metrics of a member. */
import { declareCounter, declareGauge, type FamilyDescription, type Metrics } from '@sluice/telemetry';
import type { Member } from '../member/member.ts';
import { phases } from '../rollout/rollout.ts';
import type { Rollouts } from '../rollout/rollouts.ts';

/** By what they tell of. */
export const fleetMetrics = {
  revision: declareGauge(
    'sluice_fleet_revision',
    'The last revision of the fleet: that is known, and that is in force.',
    ['state'],
  ),
  lag: declareGauge('sluice_fleet_lag_revisions', 'How many revisions are known and not in force.'),
  store: declareGauge('sluice_fleet_store_up', 'Whether the store of the fleet can be reached.'),
  forked: declareGauge('sluice_fleet_forked', 'Whether the store has another history than this member.'),
  conflicts: declareCounter('sluice_fleet_conflicts_total', 'How often a change of this member lost to another one.'),
  resyncs: declareCounter(
    'sluice_fleet_resyncs_total',
    'How often this member took more than the next entry, by the cause.',
    ['cause'],
  ),
  forks: declareCounter('sluice_fleet_forks_total', 'How often the store had another history than this member.'),
  rollouts: declareCounter(
    'sluice_fleet_rollouts_total',
    'Roll-outs that ended under the coordination of this member.',
    ['outcome'],
  ),
  rollout: declareGauge('sluice_fleet_rollout', 'Whether a roll-out is in this phase.', ['phase']),
  rolloutRequests: declareGauge(
    'sluice_fleet_rollout_requests',
    'Requests to what a roll-out changes in its present stage, by members with and without it.',
    ['side'],
  ),
  rolloutFailures: declareGauge('sluice_fleet_rollout_failures', 'Those of them that failed with 5xx.', ['side']),
} satisfies Readonly<Record<string, FamilyDescription>>;

/** What is collected of. */
interface Collected {
  readonly state: Member['state'];
  readonly place: () => Member['place'];
  readonly rollouts: Pick<Rollouts, 'last' | 'ended'>;
}

/** Keeps the metrics of a member; returns how to end it. */
export function collectMember(metrics: Metrics, { state, place, rollouts }: Collected): () => void {
  const of = fleetMetrics;
  return metrics.onCollect(() => {
    const known = place()?.head.rev ?? 0;
    const applied = state.applied?.rev ?? 0;
    metrics.family(of.revision).with('known').set(known);
    metrics.family(of.revision).with('applied').set(applied);
    metrics
      .family(of.lag)
      .with()
      .set(known - applied);
    metrics
      .family(of.store)
      .with()
      .set(state.away === null ? 1 : 0);
    metrics
      .family(of.forked)
      .with()
      .set(state.fork === null ? 0 : 1);
    metrics.family(of.conflicts).with().set(state.conflicts);
    metrics.family(of.forks).with().set(state.forks);
    collectRollout(metrics, rollouts);
    for (const [cause, count] of Object.entries(state.resyncs)) metrics.family(of.resyncs).with(cause).set(count);
  });
}

function collectRollout(metrics: Metrics, { last, ended }: Collected['rollouts']): void {
  const of = fleetMetrics;
  for (const [outcome, count] of Object.entries(ended)) metrics.family(of.rollouts).with(outcome).set(count);
  for (const phase of phases)
    metrics
      .family(of.rollout)
      .with(phase)
      .set(last?.state.phase === phase ? 1 : 0);
  for (const side of ['new', 'old'] as const) {
    const { requests, failures } = last?.state.seen[side] ?? { requests: 0, failures: 0 };
    metrics.family(of.rolloutRequests).with(side).set(requests);
    metrics.family(of.rolloutFailures).with(side).set(failures);
  }
}
