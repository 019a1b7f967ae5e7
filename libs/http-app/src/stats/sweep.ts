/** Frees the counter blocks of removed routes. The server and host totals stay the same. */
import { isBusy, type Tally } from '@sluice/threads';
import { outside, parseRequestBlockName, requestBlockName } from './counts.ts';
import type { OtherHosts, RouteStats } from './route-stats.ts';

/**
 * Moves the counts of removed routes to the block for requests outside routes. A host keeps separate counts as long as any route has
 * counted requests for it. A route counts as removed once its configuration has been garbage-collected.
 */
export function sweepRoutes(routes: Map<string, RouteStats>, others: OtherHosts, tally: Tally): void {
  const alive = new Set<string>();
  for (const [name, route] of routes) {
    const { server } = route.key;
    if (isAlive(route)) for (const host of route.blocks.keys()) alive.add(`${server}${host}`);
    else if (route.key.route !== outside.route) {
      others.forget(route);
      routes.delete(name);
    }
  }
  for (const block of [...tally.blocks()]) {
    const name = parseRequestBlockName(block.name);
    // Skip blocks that are still used by requests in flight.
    if (name === null || isBusy(block)) continue;
    const { server, host } = name;
    const isOutside = name.route === outside.route;
    const route = routes.get(requestBlockName({ ...name, host: '' }));
    const isKept = isOutside
      ? host === '' || alive.has(`${server}${host}`) || others.has(block)
      : route !== undefined && isAlive(route);
    if (isKept) continue;
    const heir = requestBlockName({ server, ...outside, host: alive.has(`${server}${host}`) ? host : '' });
    if (route === undefined) tally.rename(block, heir);
    else route.drop(host, tally, heir);
  }
}

function isAlive({ node }: RouteStats): boolean {
  return node?.deref() !== undefined;
}
