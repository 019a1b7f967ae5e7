/**
 * Counts the requests of a thread by route, host and server. The counters are always there, so that counting has to cost
 * next to nothing: a few additions to memory that no other thread writes, at a place that is kept with the handler.
 */
import { performance } from 'node:perf_hooks';
import { hostKey } from '../routing/keys.ts';
import { bucketOf, inFlightNumber, type Tally, type TallyBlock } from '@sluice/threads';
import { token, type Token } from '@sluice/registry';
import { byteAt, floatAt, type Json } from '@sluice/base';
import { clientClosedRequest } from '../errors.ts';
import { emptyBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { unused, type HandlerPlace, type PlaceCounter } from '../exchange/place.ts';
import {
  aroundHash,
  bytesIn,
  bytesOut,
  numberOfStatus,
  outside,
  requestBlockName,
  routeHash,
  serverHash,
} from './counts.ts';
import { namesHost } from './named-hosts.ts';
import { OtherHosts, RouteStats, type RouteKey } from './route-stats.ts';
import { sweepRoutes } from './sweep.ts';
import { Timing } from './timing.ts';
import { UpstreamStats } from './upstream-stats.ts';

/** Constants of this module, as the compiler of V8 looks those of others up each time. */
const noBody = emptyBody;
const sent = bytesOut;
/** The number of statuses such as 200. */
const ok = 2;
/** Routes around a route that are looked at; there may be a circle, where a named route invokes itself. */
const maxAround = 100;
/** With so many blocks it is worth looking for those of routes that are gone. */
const firstSweep = 128;

/** The stats of a thread that serves. */
export class RequestStats {
  readonly #tally: Tally;
  readonly #routes = new Map<string, RouteStats>();
  readonly #others: OtherHosts;
  readonly #upstreams: UpstreamStats;
  readonly #timing = new Timing();
  /** Places whose counter is set. */
  #places: HandlerPlace[] = [];
  #sweepAt = firstSweep;

  constructor(tally: Tally) {
    this.#tally = tally;
    this.#others = new OtherHosts(tally);
    this.#upstreams = new UpstreamStats(tally);
  }

  /** Counts a request that is over. `place` is the handler that was entered last. */
  count(exchange: Exchange, place: HandlerPlace): void {
    const { writer } = exchange;
    let { counter } = place;
    if (counter.host !== exchange.originalHost) counter = this.#find(exchange, place);
    const { numbers, base } = counter;
    const at = base + (writer.status === 200 ? ok : classOf(exchange));
    numbers[at] = floatAt(numbers, at) + 1;
    const out = base + sent;
    numbers[out] = floatAt(numbers, out) + writer.size;
    if (exchange.arrivingBody !== noBody)
      numbers[base + bytesIn] = floatAt(numbers, base + bytesIn) + exchange.arrivingBody.received;
    if (exchange.counted !== null) leave(exchange, counter);
    else if (--counter.left === 0) this.#timing.time(exchange, counter);
  }

  /** Counts a request as in flight, until it is over. Called for those that wait. */
  enter(exchange: Exchange, place: HandlerPlace): void {
    if (exchange.counted !== null) return;
    let { counter } = place;
    if (counter.host !== exchange.originalHost) counter = this.#find(exchange, place);
    const block = counter.block as TallyBlock;
    block.add(inFlightNumber, 1);
    exchange.counted = block;
  }

  /** What is counted of an upstream. */
  get upstreams(): UpstreamStats {
    return this.#upstreams;
  }

  /** Looks every route up again, as the routes around it may be others. Called when a configuration comes into force. */
  forget(): void {
    for (const place of this.#places) place.counter = unused;
    this.#places = [];
  }

  /** Finds the counter of a place, and has it count for the host of the request. */
  #find(exchange: Exchange, place: HandlerPlace): PlaceCounter {
    const nodes = nodesOf(place);
    const route = this.#routeOf(exchange.server?.name ?? '', nodes);
    const host = hostKey(exchange.originalHost);
    route.use(route.blocks.get(host) ?? this.#blockOf(route, nodes, host), exchange.originalHost);
    // A place outside of routes may be that of several servers.
    if (place.counter === unused && place.node !== null) {
      place.counter = route.counter;
      this.#places.push(place);
    }
    return route.counter;
  }

  /** The stats of a route, by its own configuration and those around it, from the inside out. */
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

  /** Where hosts count that have no block of their own; without memory, those of all routes together. */
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

/** The configurations of a place's route and of those around it. */
function nodesOf(place: HandlerPlace): Json[] {
  const nodes: Json[] = [];
  for (let at: HandlerPlace | null = place; at !== null && nodes.length < maxAround; at = at.origin?.from ?? null)
    if (at.node !== null) nodes.push(at.node);
  return nodes;
}

/** The class of a response's status. A client that closes the connection before any response counts as 499, as in logs. */
function classOf({ writer, aborted }: Exchange): number {
  const status = writer.status === 0 && aborted ? clientClosedRequest : writer.status;
  return byteAt(numberOfStatus, status & 1023);
}

/** A request that has waited is over. What went on as another protocol, such as a WebSocket, has no latency. */
function leave(exchange: Exchange, { block }: PlaceCounter): void {
  exchange.counted?.add(inFlightNumber, -1);
  exchange.counted = null;
  if (!exchange.writer.upgraded) block?.observe(bucketOf(performance.now() - exchange.startedAt), 1);
}

/** The stats of the thread: `context.find(requestStatsToken)`. */
export const requestStatsToken: Token<RequestStats> = token<RequestStats>('request-stats');
