/** Reads the request counters of both sides of a rollout. */
import { trafficMeters, type SidesReader } from '@sluice/contracts';
import type { Reconciler } from '@sluice/reconciler';
import { addTraffic } from '../traffic.ts';
import { noCounts } from './state.ts';

/** Returns a function that reads the request counters of all apps, with and without the canary. */
export async function sidesReader(reconciler: Reconciler): Promise<SidesReader> {
  const readers: SidesReader[] = [];
  for (const { loadSides } of reconciler.registry.contributions(trafficMeters).values())
    readers.push((await loadSides())(reconciler));
  return {
    read: () =>
      readers
        .map((reader) => reader.read())
        .reduce(
          (sum, each) => ({
            new: addTraffic(sum.new, each.new),
            old: addTraffic(sum.old, each.old),
            cells: [...sum.cells, ...each.cells],
          }),
          noCounts,
        ),
    lost: () => Math.max(0, ...readers.map((reader) => reader.lost())),
  };
}
