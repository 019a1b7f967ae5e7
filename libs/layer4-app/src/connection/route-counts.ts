/** Collects connection counts by route from all threads, for the admin API. */
import type { Context } from '@sluice/registry';
import { question, threadBusToken, type Question } from '@sluice/threads';
import type { ConnectionCount } from './counts.ts';

/** A server whose connections are counted. */
interface CountedServer {
  readonly routes: { readonly routes: readonly { readonly count: ConnectionCount }[] };
}

export interface RouteCount {
  readonly server: string;
  /** Route index. */
  readonly route: number;
  /** Connections in progress. */
  readonly active: number;
  /** Connections so far. */
  readonly total: number;
}

/** Requests connection counts from all threads that serve traffic. */
export const routeCounts: Question<null, readonly RouteCount[]> = question('layer4.route_counts');

/** Reports a thread's connection counts while the app is active. */
export function shareCounts(servers: ReadonlyMap<string, CountedServer>, context: Context): void {
  const bus = context.find(threadBusToken);
  if (bus === undefined || !context.roles.traffic) return;
  let end: (() => void) | null = null;
  context.onCommit(() => {
    end = bus.onGather(routeCounts, () => countsOf(servers));
  });
  context.onRetire(() => end?.());
}

function countsOf(servers: ReadonlyMap<string, CountedServer>): RouteCount[] {
  return [...servers].flatMap(([server, { routes }]) =>
    routes.routes.map(({ count: { active, total } }, route) => ({ server, route, active, total })),
  );
}

export function sumCounts(ofThreads: readonly (readonly RouteCount[])[]): RouteCount[] {
  const sums = new Map<string, { server: string; route: number; active: number; total: number }>();
  for (const { server, route, active, total } of ofThreads.flat()) {
    const key = `${route} ${server}`;
    const sum = sums.get(key) ?? { server, route, active: 0, total: 0 };
    sums.set(key, { ...sum, active: sum.active + active, total: sum.total + total });
  }
  return [...sums.values()];
}
