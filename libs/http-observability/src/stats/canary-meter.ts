/** Reads the counters for comparing a canary's requests with requests of the active configuration. */
import type { SidesReader, TrafficCounts } from '@sluice/contracts';
import { canaryBlocks, isCanaryBlock } from '@sluice/http-app';
import type { RunningServer } from '@sluice/registry';
import { tallyStoreToken, type TallyReading } from '@sluice/threads';
import { trafficOf } from './traffic-counts.ts';

export function meterSides(server: RunningServer): SidesReader {
  const store = server.service(tallyStoreToken);
  return {
    read: () => {
      const found = new Map<string, TallyReading[]>();
      for (const reading of store?.read(isCanaryBlock) ?? []) {
        const others = found.get(reading.name);
        if (others === undefined) found.set(reading.name, [reading]);
        else others.push(reading);
      }
      const countsOf = (all: readonly string[]): TrafficCounts =>
        trafficOf(all.flatMap((name) => found.get(name) ?? []));
      return {
        new: countsOf(canaryBlocks.new),
        old: countsOf(canaryBlocks.old),
        cells: canaryBlocks.new.map((name) => countsOf([name])),
      };
    },
    lost: () => store?.reaped ?? 0,
  };
}
