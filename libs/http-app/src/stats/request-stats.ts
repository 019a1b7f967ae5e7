/**
 * Counts a thread's requests by route, host and server. Counting is always on, so it must cost almost nothing. Each count is an addition in
 * memory that only this thread writes. The handler stores the address of its counters.
 */
import { performance } from 'node:perf_hooks';
import { hostKey } from '../routing/keys.ts';
import { bucketOf, inFlightNumber, type Tally, type TallyBlock } from '@sluice/threads';
import { token, type Token } from '@sluice/registry';
import { floatAt, type Json } from '@sluice/base';
import { emptyBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { unused, type HandlerPlace, type PlaceCounter } from '../exchange/place.ts';
import {
  aroundHash,
  bytesIn,
  bytesOut,
  outside,
  requestBlockName,
  routeHash,
  serverHash,
  upstreamFailures,
} from './counts.ts';
import { namesHost } from './named-hosts.ts';
import { classOf, isUpstreamFailure } from './outcome.ts';
import { OtherHosts, RouteStats, type RouteKey } from './route-stats.ts';
import { sweepRoutes } from './sweep.ts';
import { Timing } from './timing.ts';
import { UpstreamStats } from './upstream-stats.ts';

/** Local copies of imported constants. V8 would otherwise look up the imported constant at each use. */
const noBody = emptyBody;
const sent = bytesOut;
/** Index of the counter of 2xx responses. */
const ok = 2;
const maxAround = 100;
/** Minimum number of counter blocks before counters of removed routes are cleaned up. */
const firstSweep = 128;

/** Request counters of a traffic thread. */
export class RequestStats {
  readonly #tally: Tally;
  readonly #routes = new Map<string, RouteStats>();
  readonly #others: OtherHosts;
  readonly #upstreams: UpstreamStats;
  readonly #timing = new Timing();
  #places: HandlerPlace[] = [];
  #sweepAt = firstSweep;

  constructor(tally: Tally) {
    this.#tally = tally;
    this.#others = new OtherHosts(tally);
    this.#upstreams = new UpstreamStats(tally);
  }

  /** Counts a completed request. `place` is the last handler that the request entered. */
  count(exchange: Exchange, place: HandlerPlace): void {
    const { writer } = exchange;
    let { counter } = place;
    if (counter.host !== exchange.originalHost) counter = this.#find(exchange, place);
    const { numbers, base } = counter;
    const at = base + (writer.status === 200 ? ok : classOf(exchange));
    numbers[at] = floatAt(numbers, at) + 1;
    if (writer.status >= 500 && isUpstreamFailure(exchange)) {
      const failed = base + upstreamFailures;
      numbers[failed] = floatAt(numbers, failed) + 1;
    }
    const out = base + sent;
    numbers[out] = floatAt(numbers, out) + writer.size;
    if (exchange.arrivingBody !== noBody)
      numbers[base + bytesIn] = floatAt(numbers, base + bytesIn) + exchange.arrivingBody.received;
    if (exchange.counted !== null) leave(exchange, counter);
    else if (--counter.left === 0) this.#timing.time(exchange, counter);
  }

  /** Counts a request as in flight until it completes. Called only for requests that complete asynchronously. */
  enter(exchange: Exchange, place: HandlerPlace): void {
    if (exchange.counted !== null) return;
    let { counter } = place;
    if (counter.host !== exchange.originalHost) counter = this.#find(exchange, place);
    const block = counter.block as TallyBlock;
    block.add(inFlightNumber, 1);
    exchange.counted = block;
  }

  /** Returns the counter block named `name`. Returns `null` if the shared memory is full. */
  blockOf(name: string): TallyBlock | null {
    return this.#tally.acquire(name);
  }

  get upstreams(): UpstreamStats {
    return this.#upstreams;
  }

  /**
   * Resets the cached counters of all handlers, because their enclosing routes may have changed. Called when a configuration becomes
   * active.
   */
  forget(): void {
    for (const place of this.#places) place.counter = unused;
    this.#places = [];
  }

  /** Finds a handler's counter and switches it to the request's host. */
  #find(exchange: Exchange, place: HandlerPlace): PlaceCounter {
    const nodes = nodesOf(place);
    const route = this.#routeOf(exchange.server?.name ?? '', nodes);
    const host = hostKey(exchange.originalHost);
    route.use(route.blocks.get(host) ?? this.#blockOf(route, nodes, host), exchange.originalHost);
    // A handler outside routes may be shared by several servers.
    if (place.counter === unused && place.node !== null) {
      place.counter = route.counter;
      this.#places.push(place);
    }
    return route.counter;
  }

  /** Returns the statistics of a route. `nodes` contains the configurations of the route and its enclosing routes, innermost first. */
  #routeOf(server: string, nodes: readonly Json[]): RouteStats {
    const [node, ...around] = nodes;
    const key: RouteKey =
      node === undefined
        ? { server: serverHash(server), ...outside }
        : { server: serverHash(server), route: routeHash(node), around: aroundHash(around) };
    const text = requestBlockName({ ...key, host: '' });
    let route = this.#routes.get(text);
    if (route === undefined) {
      route = new RouteStats(key);
      this.#routes.set(text, route);
    }
    if (typeof node === 'object' && node !== null) route.node = new WeakRef(node);
    return route;
  }

  #blockOf(route: RouteStats, nodes: readonly Json[], host: string): TallyBlock {
    if (this.#tally.size >= this.#sweepAt) this.#sweep();
    const isNamed = host === '' || namesHost(nodes, host);
    if (!isNamed && !this.#others.makeRoom()) return this.#othersOf(route);
    const block = this.#tally.acquire(requestBlockName({ ...route.key, host }));
    if (block === null) return this.#othersOf(route);
    route.blocks.set(host, block);
    if (!isNamed) this.#others.add({ route, host, block });
    return block;
  }

  /** Returns the counter block for hosts without separate counters. If the shared memory is full, all routes share one such block. */
  #othersOf(route: RouteStats): TallyBlock {
    const { key } = route;
    const block =
      this.#tally.acquire(requestBlockName({ ...key, host: '' })) ??
      this.#tally.acquire(requestBlockName({ server: key.server, ...outside, host: '' })) ??
      this.#tally.reserve;
    if (block.name === requestBlockName({ ...key, host: '' })) route.blocks.set('', block);
    return block;
  }

  #sweep(): void {
    sweepRoutes(this.#routes, this.#others, this.#tally);
    this.forget();
    this.#sweepAt = Math.max(firstSweep, this.#tally.size * 2);
  }
}

/** Returns the configurations of the handler's route and its enclosing routes. */
function nodesOf(place: HandlerPlace): Json[] {
  const nodes: Json[] = [];
  for (let at: HandlerPlace | null = place; at !== null && nodes.length < maxAround; at = at.origin?.from ?? null)
    if (at.node !== null) nodes.push(at.node);
  return nodes;
}

/** Counts the completion of an asynchronous request. Upgraded connections, such as WebSockets, have no latency. */
function leave(exchange: Exchange, { block }: PlaceCounter): void {
  exchange.counted?.add(inFlightNumber, -1);
  exchange.counted = null;
  if (!exchange.writer.upgraded) block?.observe(bucketOf(performance.now() - exchange.startedAt), 1);
}

export const requestStatsToken: Token<RequestStats> = token<RequestStats>('request-stats');
