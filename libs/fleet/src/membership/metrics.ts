/** Metrics of a member. */
import { declareCounter, declareGauge, type FamilyDescription, type Metrics } from '@sluice/telemetry';
import type { Member } from '../member/member.ts';

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
} satisfies Readonly<Record<string, FamilyDescription>>;

/** Keeps the metrics of a member; returns how to end it. */
export function collectMember(
  metrics: Metrics,
  { state, place }: { readonly state: Member['state']; readonly place: () => Member['place'] },
): () => void {
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
    for (const [cause, count] of Object.entries(state.resyncs)) metrics.family(of.resyncs).with(cause).set(count);
  });
}
