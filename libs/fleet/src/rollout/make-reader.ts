/** Loads the traffic meters that apps contribute. */
import { trafficMeters, type TrafficReader } from '@sluice/contracts';
import type { DocumentView } from '@sluice/reconciler';
import type { MakeReader } from './meter.ts';
import { addTraffic, noTraffic } from '@sluice/rollout';

/** Returns a function that creates traffic readers. `view` is the machine's view of the document. */
export function makeReader(view: DocumentView): MakeReader {
  return async (reconciler, { operations, before, after, isMade }) => {
    const seen = { operations, before: view(before), after: view(after), isMade };
    const readers: TrafficReader[] = [];
    for (const { load } of reconciler.registry.contributions(trafficMeters).values())
      readers.push((await load())(reconciler, seen));
    return {
      read: () => readers.reduce((sum, reader) => addTraffic(sum, reader.read()), noTraffic),
      lost: () => Math.max(0, ...readers.map((reader) => reader.lost())),
    };
  };
}
