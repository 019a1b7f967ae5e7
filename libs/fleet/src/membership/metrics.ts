import { declareCounter, declareGauge, type FamilyDescription, type Metrics } from '@sluice/telemetry';
import type { Member } from '../member/member.ts';
import { phases } from '../rollout/rollout.ts';
import type { Rollouts } from '../rollout/rollouts.ts';

export const fleetMetrics = {
  revision: declareGauge('sluice_fleet_revision', 'Latest known and latest applied revision of the fleet document.', [
    'state',
  ]),
  lag: declareGauge('sluice_fleet_lag_revisions', 'Number of known revisions that this member has not applied yet.'),
  store: declareGauge('sluice_fleet_store_up', '1 if the fleet store is available, 0 otherwise.'),
  forked: declareGauge(
    'sluice_fleet_forked',
    "1 if the store's history has diverged from this member's history, 0 otherwise.",
  ),
  conflicts: declareCounter(
    'sluice_fleet_conflicts_total',
    'Total number of changes by this member that were superseded by a concurrent change.',
  ),
  resyncs: declareCounter(
    'sluice_fleet_resyncs_total',
    'Total number of times that this member resynchronized from a snapshot, by cause.',
    ['cause'],
  ),
  forks: declareCounter(
    'sluice_fleet_forks_total',
    "Total number of times that the store's history diverged from this member's history.",
  ),
  rollouts: declareCounter(
    'sluice_fleet_rollouts_total',
    'Total number of completed rollouts that this member coordinated.',
    ['outcome'],
  ),
  rollout: declareGauge('sluice_fleet_rollout', '1 if a rollout is in this phase, 0 otherwise.', ['phase']),
  rolloutRequests: declareGauge(
    'sluice_fleet_rollout_requests',
    'Requests to changed routes in the current rollout stage, on members with and without the change.',
    ['side'],
  ),
  rolloutFailures: declareGauge(
    'sluice_fleet_rollout_failures',
    '5xx responses from changed routes in the current rollout stage, on members with and without the change.',
    ['side'],
  ),
} satisfies Readonly<Record<string, FamilyDescription>>;

interface Collected {
  readonly state: Member['state'];
  readonly place: () => Member['place'];
  readonly rollouts: Pick<Rollouts, 'last' | 'ended'>;
}

/** Collects the metrics of a fleet member. Returns a function that stops the collection. */
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
      .set(state.outage === null ? 1 : 0);
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
