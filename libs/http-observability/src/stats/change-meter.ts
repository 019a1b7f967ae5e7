/**
 * Counts the requests that a configuration change affects. Machines with the change count requests to the new routes, and other machines
 * count requests to the old routes. If a route has no counterpart, for example a new route, its whole server is compared.
 */
import type { MeteredChange, TrafficCounts, TrafficReader } from '@sluice/contracts';
import type { RunningServer } from '@sluice/registry';
import { tallyStoreToken, type TallyReading, type TallyStore } from '@sluice/threads';
import { parseRequestBlockName } from '@sluice/http-app';
import { changedRoutes, type ChangedRoutes } from './changed-routes.ts';
import { trafficOf } from './traffic-counts.ts';

/** Reads the counters of all server threads, and returns those that the change affects. */
export function meterChange(server: RunningServer, { before, after, isMade }: MeteredChange): TrafficReader {
  const store = server.service(tallyStoreToken);
  const changed = changedRoutes(before, after, isMade);
  return { read: () => read(store, changed), lost: () => store?.reaped ?? 0 };
}

function read(store: TallyStore | undefined, changed: ChangedRoutes): TrafficCounts {
  return trafficOf([...(store?.read() ?? [])].filter((reading) => isCounted(reading, changed)));
}

function isCounted({ name }: TallyReading, { servers, keys, routes }: ChangedRoutes): boolean {
  const block = parseRequestBlockName(name);
  if (block === null) return false;
  if (servers === null || servers.has(block.server)) return true;
  for (let at = routes.routeOf(block); at !== null; at = at.outer) if (keys.has(at.key)) return true;
  return false;
}
