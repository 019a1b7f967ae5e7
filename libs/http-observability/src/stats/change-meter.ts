/**
 * Counts requests affected by a change. A machine with the change counts requests to new routes; other machines count requests to old
 * routes. If a route has no equivalent, for example a new route, its whole server is compared.
 */
import { floatAt, numberAt } from '@sluice/base';
import type { MeteredChange, TrafficCounts, TrafficReader } from '@sluice/contracts';
import type { RunningServer } from '@sluice/registry';
import { bucketCount, tallyStoreToken, type TallyReading, type TallyStore } from '@sluice/threads';
import { parseRequestBlockName, statusClasses } from '@sluice/http-app';
import { changedRoutes, type ChangedRoutes } from './changed-routes.ts';
import { requestsOf } from './snapshot.ts';

/** Index of the counter for 5xx responses. */
const failures = statusClasses.indexOf('5xx');

/** Number of tally buckets per {@link TrafficCounts} bucket: tallies have 16 per doubling, traffic counts two. */
const perBucket = 8;

/** Reads the counters of all server threads. */
export function meterChange(server: RunningServer, { before, after, isMade }: MeteredChange): TrafficReader {
  const store = server.service(tallyStoreToken);
  const changed = changedRoutes(before, after, isMade);
  return { read: () => read(store, changed), lost: () => store?.reaped ?? 0 };
}

function read(store: TallyStore | undefined, changed: ChangedRoutes): TrafficCounts {
  let requests = 0;
  let failed = 0;
  const buckets = new Float64Array(bucketCount);
  for (const reading of store?.read() ?? []) {
    if (!isCounted(reading, changed)) continue;
    requests += requestsOf(reading.numbers);
    failed += floatAt(reading.numbers, failures);
    reading.addBuckets(buckets);
  }
  const latency = Array<number>(bucketCount / perBucket).fill(0);
  for (const [i, count] of buckets.entries()) {
    const at = Math.floor(i / perBucket);
    latency[at] = numberAt(latency, at) + count;
  }
  return { requests, failures: failed, latency };
}

function isCounted({ name }: TallyReading, { servers, keys, routes }: ChangedRoutes): boolean {
  const block = parseRequestBlockName(name);
  if (block === null) return false;
  if (servers === null || servers.has(block.server)) return true;
  for (let at = routes.routeOf(block); at !== null; at = at.outer) if (keys.has(at.key)) return true;
  return false;
}
