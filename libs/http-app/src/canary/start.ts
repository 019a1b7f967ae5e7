/** Starts a canary on the listeners of the server that the canary would replace. */
import type { Json } from '@sluice/base';
import type { CanaryTraffic } from '@sluice/registry';
import type { TallyBlock } from '@sluice/threads';
import type { CanaryScope, Exchange } from '../exchange/exchange.ts';
import type { RequestStats } from '../stats/request-stats.ts';
import type { RequestSplit } from '../engine/engine-host.ts';
import type { ServerHandle } from '../engine/server-handle.ts';
import { changedParts } from './changed-parts.ts';
import { canaryBlocks } from '../stats/counts.ts';
import { SideMeter } from './side-meter.ts';
import { CanarySplit } from './split.ts';

/** A listener whose requests can be split between two servers. */
export interface SplitListener {
  readonly target: ServerHandle | null;
  split: RequestSplit | null;
}

/** A server whose requests are counted while a canary runs. */
export interface MeteredServer extends ServerHandle {
  sideMeter: SideMeter | null;
  canary: CanaryScope | null;
}

export interface CanaryServer {
  readonly server: MeteredServer;
  readonly serving: MeteredServer;
  readonly node: Json;
  readonly servingNode: Json;
  readonly listeners: readonly SplitListener[];
  /** Request counters. `null` if nothing is counted. */
  readonly stats: RequestStats | null;
}

/** Splits the requests of the listeners between two servers. Returns a function that ends the split. */
export function startCanary(
  { server, serving, node, servingNode, listeners, stats }: CanaryServer,
  traffic: CanaryTraffic,
): () => void {
  const routes = changedParts(servingNode, node);
  const split = new CanarySplit(server, traffic);
  const cellOf = (exchange: Exchange): number => split.cellOf(serving, exchange.originalHeaders, exchange.connection);
  const { isCompared } = split;
  const ofOld = isCompared === null ? () => 0 : (each: Exchange) => (isCompared(each.originalHeaders) ? 0 : -1);
  server.sideMeter = meterOf(stats, 'new', routes, cellOf);
  serving.sideMeter = meterOf(stats, 'old', routes, ofOld);
  const meter = server.sideMeter;
  // If there are no counters, assume that every request may be affected.
  server.canary = { id: traffic.id, affects: ({ place }) => meter?.covers(place) ?? true };
  const own = listeners.filter(({ target }) => target === serving);
  for (const listener of own) listener.split = split;
  return () => {
    for (const listener of own) if (listener.split === split) listener.split = null;
    serving.sideMeter = server.sideMeter = server.canary = null;
  };
}

function meterOf(
  stats: RequestStats | null,
  side: 'new' | 'old',
  routes: ReadonlySet<Json> | null,
  cellOf: (exchange: Exchange) => number,
): SideMeter | null {
  const blocks: TallyBlock[] = [];
  for (const name of canaryBlocks[side]) {
    const block = stats?.blockOf(name) ?? null;
    if (block === null) return null;
    blocks.push(block);
  }
  return new SideMeter(blocks, cellOf, routes);
}
