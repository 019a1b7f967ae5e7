/** For each listener of a route, groups the route's hostnames by precedence. */
import type { Attached } from './attachment.ts';
import { hostnameRank } from './hostnames.ts';
import type { Listener } from './listener.ts';

/** Hostnames of equal rank on a listener. */
export interface Place {
  readonly listener: Listener;
  readonly hostnames: readonly string[];
}

/** Groups listeners and hostnames by rank. Listeners take precedence over routes. */
export function placesOf(attached: readonly Attached[]): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const { listener, hostnames } of attached) {
    if (!listener.isServed) continue;
    const byRank = Map.groupBy(hostnames, hostnameRank);
    for (const [rank, group] of byRank) {
      const key = `${hostnameRank(listener.hostname)} ${rank}`;
      const list = places.get(key);
      if (list === undefined) places.set(key, [{ listener, hostnames: group }]);
      else list.push({ listener, hostnames: group });
    }
  }
  return places;
}
