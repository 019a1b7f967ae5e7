import type { FleetReport, FleetScope } from '@sluice/contracts';

/** Reports whether enough members have applied a revision. */
export function isReached(reports: readonly FleetReport[], scope: FleetScope): boolean {
  const applied = reports.filter(({ state }) => state === 'applied').length;
  if (scope === 'all') return applied === reports.length;
  return scope === 'majority' ? applied * 2 > reports.length : applied > 0;
}
