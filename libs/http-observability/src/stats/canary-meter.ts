/** Reads the counters of requests that a canary and the configuration beside it are compared by. */
import type { SidesReader, TrafficCounts } from '@sluice/contracts';
import { canaryBlock } from '@sluice/http-app';
import type { RunningServer } from '@sluice/registry';
import { tallyStoreToken } from '@sluice/threads';
import { trafficOf } from './traffic-counts.ts';

export function meterSides(server: RunningServer): SidesReader {
  const store = server.service(tallyStoreToken);
  const countsOf = (side: 'new' | 'old'): TrafficCounts => {
    const wanted = canaryBlock(side);
    return trafficOf([...(store?.read((name) => name === wanted) ?? [])]);
  };
  return { read: () => ({ new: countsOf('new'), old: countsOf('old') }), lost: () => store?.reaped ?? 0 };
}
