/** Gives back the blocks of routes that are gone. What they counted stays in the numbers of their server and hosts. */
import { isBusy, type Tally } from '@sluice/threads';
import { outside, parseRequestBlockName, requestBlockName } from './counts.ts';
import type { OtherHosts, RouteStats } from './route-stats.ts';

/**
 * Counts what was counted for routes that are gone as outside of routes: by host while any route of the thread has
 * requests to that host, else with all others. A route is gone when nothing has its configuration any more.
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
    // A request that is not over comes back to its block.
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
