/**
 * Counts what a simulated configuration change would affect: server connections, and requests and streams in flight by route. Loaded on the
 * first dry run.
 */
import { formatWhere, type Json } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import type { RehearsedChange, RunningServer } from '@sluice/registry';
import { inFlightNumber, tallyStoreToken, threadBusToken } from '@sluice/threads';
import { httpApp, serverConnections } from '@sluice/http-app';
import { DocumentRoutes, serversOf } from '../stats/document-routes.ts';
import { Snapshot, type Entry } from '../stats/snapshot.ts';

/** Maximum number of reported entries. Entries with the most requests in flight come first. */
const maxReported = 500;

export type Holder = {
  /** Configuration paths before and after the change. `null` after the change means that the change removes or recreates the item. */
  readonly path: string;
  readonly after: string | null;
  /** Servers only. */
  readonly connections?: number;
  readonly in_flight: number;
};

/** Returns all entries with open connections or requests in flight. */
export async function heldIn(server: RunningServer, { before, after }: RehearsedChange): Promise<readonly Holder[]> {
  const names = [...(server.app(httpApp)?.servers.keys() ?? [])];
  const connections = await connectionsOf(server);
  const busy = [...(server.service(tallyStoreToken)?.read() ?? [])].filter(
    ({ numbers }) => numbers[inFlightNumber] !== 0,
  );
  const routes = new DocumentRoutes(busy.length === 0 ? null : before, names);
  const snapshot = new Snapshot(busy, routes, Date.now());
  const [now, then] = [serversOf(before), serversOf(after)];
  const servers = names.map((name) => ({
    path: serverPath(name),
    after: getAt(then, [name]) === getAt(now, [name]) ? serverPath(name) : null,
    connections: connections.get(name) ?? 0,
    in_flight: inFlightOf(snapshot.servers.get(name)),
  }));
  const places = new Map<Json, string>();
  if (busy.length > 0) for (const { node, path } of new DocumentRoutes(after, []).all()) places.set(node, path);
  const held = [...snapshot.routes.values()].map((entry) => ({
    path: entry.of.path,
    after: places.get(entry.of.node) ?? null,
    in_flight: inFlightOf(entry),
  }));
  return [...servers.filter((each) => each.connections + each.in_flight > 0), ...held]
    .toSorted((a, b) => b.in_flight - a.in_flight)
    .slice(0, maxReported);
}

async function connectionsOf(server: RunningServer): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  for (const ofThread of (await server.service(threadBusToken)?.gather(serverConnections, null)) ?? [])
    for (const [name, count] of Object.entries(ofThread)) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

function serverPath(name: string): string {
  return formatWhere(['apps', 'http', 'servers', name]);
}

function inFlightOf(entry: Entry<unknown> | undefined): number {
  return Math.max(0, entry?.numbers[inFlightNumber] ?? 0);
}
