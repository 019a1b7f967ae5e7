/**
 * A compiled route list. Routes apply in configured order. Routes with keys are found through an index, so finding the last of 10,000 hosts
 * is as fast as finding the first. A list is immutable. After a configuration change, a new list shares the unchanged routes and the index,
 * at a cost proportional to the size of the change.
 */
import { ChunkedList, changedRuns, itemAt, spliceOfLists } from '@sluice/base';
import { bufferBody } from '../exchange/body.ts';
import type { Exchange, Next } from '../exchange/exchange.ts';
import type { ListOrigin } from '../exchange/place.ts';
import { HttpError } from '../errors.ts';
import { isUnread } from './body-first.ts';
import { composeChain, endOfChain } from './chain.ts';
import type { CompiledRoute } from './compiled-route.ts';
import { matchSets } from './match.ts';
import type { Route } from './route.ts';
import { firstBehind, RouteIndex } from './route-index.ts';
import { Cursor, routingOf, startRouting } from './routing-state.ts';

/** Minimum number of keyed routes for creating an index. With fewer routes, testing each route is faster. */
const indexThreshold = 16;

/** Difference between neighboring ranks in a new list, so that routes can be inserted between them. */
const rankStep = 2 ** 20;

/** Number of consecutive non-terminal routes after which routing continues on a new call stack. */
const passesPerStack = 500;

const maxNesting = 100;

export class RouteList {
  readonly routes: ChunkedList<Route>;
  readonly entries: ChunkedList<CompiledRoute>;
  /** Routes tested one by one: routes without keys, or all routes if the list has no index. */
  readonly #plain: readonly CompiledRoute[];
  readonly #index: RouteIndex | null;
  /** Data that all versions of a list and its observed lists share. */
  readonly origin: ListOrigin;

  private constructor(
    routes: ChunkedList<Route>,
    entries: ChunkedList<CompiledRoute>,
    index: RouteIndex | null,
    origin: ListOrigin,
  ) {
    this.routes = routes;
    this.entries = entries;
    this.origin = origin;
    this.#plain = index === null ? entries.toArray() : index.unkeyed;
    this.#index = index;
  }

  /** Compiles a list from scratch or based on the list that it replaces. Creates an index if at least `indexFrom` routes have keys. */
  static compile(
    list: readonly Route[] | ChunkedList<Route>,
    previous: RouteList | null = null,
    indexFrom = indexThreshold,
    origin: ListOrigin = previous === null ? { from: null } : previous.origin,
  ): RouteList {
    const routes = ChunkedList.of(list);
    const fresh = (): RouteList => {
      const entries = routes.map((route, i) => compileRoute(route, (i + 1) * rankStep, origin));
      return new RouteList(routes, entries, indexOf(entries, indexFrom), origin);
    };
    if (previous === null) return fresh();
    const before = previous.entries;
    const { start, removed, inserted } = spliceOfLists(previous.routes, routes);
    const [old, wanted] = [before.slice(start, start + removed), routes.slice(start, start + inserted)];
    const edges = { low: before.at(start - 1)?.rank, high: before.at(start + removed)?.rank };
    const replaced = replaceRoutes(old, wanted, edges, origin);
    if (replaced === null) return fresh();
    const entries = before.replace(start, removed, replaced.entries);
    const index = previous.#index?.splice(replaced.removed, replaced.added) ?? indexOf(entries, indexFrom);
    return new RouteList(routes, entries, index, origin);
  }

  /** True if the list finds routes with keys through an index. */
  get indexed(): boolean {
    return this.#index !== null;
  }

  /** Enters this list from another list. `next` runs after the last route. */
  enter(exchange: Exchange, next: Next): void | Promise<void> {
    const outer = exchange.routing?.cursor ?? null;
    const cursor = new Cursor(this, next, outer);
    if (cursor.depth > maxNesting)
      throw new HttpError(
        500,
        `routes are nested more than ${maxNesting} levels deep; check whether a named route invokes itself`,
      );
    startRouting(exchange, cursor);
    this.origin.from = exchange.place;
    return this.after(exchange, Number.NEGATIVE_INFINITY);
  }

  /** Runs the first applicable route after `rank`. Called when an exchange enters the list and after each non-terminal route. */
  after(exchange: Exchange, rank: number): void | Promise<void> {
    const plain = this.#plain;
    const index = this.#index;
    let at = rank === Number.NEGATIVE_INFINITY ? 0 : firstBehind(plain, rank);
    let keyed = index === null ? null : index.following(exchange, rank);
    for (;;) {
      let entry = plain[at];
      if (keyed !== null && (entry === undefined || keyed.rank < entry.rank)) entry = keyed;
      else if (entry === undefined) break;
      const { route } = entry;
      if (route.readsBody && isUnread(exchange.body)) return this.#afterBody(exchange, rank);
      if (route.group === '' || !isDecided(exchange, route.group)) {
        const matched = matches(exchange, route);
        if (matched === true) return this.#run(exchange, entry);
        if (matched !== false) return this.#later(exchange, entry, matched);
      }
      if (entry === keyed && index !== null) keyed = index.following(exchange, entry.rank);
      else at++;
    }
    return leave(exchange);
  }

  async #afterBody(exchange: Exchange, rank: number): Promise<void> {
    exchange.body = await bufferBody(exchange.body);
    await this.after(exchange, rank);
  }

  async #later(exchange: Exchange, entry: CompiledRoute, matched: Promise<boolean>): Promise<void> {
    let matches = false;
    try {
      matches = await matched;
    } catch (error) {
      exchange.blame(error, entry.route.matcherPlace);
      throw error;
    }
    if (matches) await this.#run(exchange, entry);
    else await this.after(exchange, entry.rank);
  }

  #run(exchange: Exchange, entry: CompiledRoute): void | Promise<void> {
    if (entry.route.group !== '') (routingOf(exchange).groups ??= []).push(entry.route.group);
    return entry.run(exchange);
  }
}

function isDecided(exchange: Exchange, group: string): boolean {
  return routingOf(exchange).groups?.includes(group) ?? false;
}

/** Continues after the last route of a list: in the enclosing list, or at the end of the chain. */
function leave(exchange: Exchange): void | Promise<void> {
  const state = routingOf(exchange);
  const { cursor } = state;
  if (cursor.outer !== null) state.cursor = cursor.outer;
  return cursor.next(exchange);
}

/** Evaluates a route's matchers. If a matcher throws an exception, records that matcher. */
function matches(exchange: Exchange, route: Route): boolean | Promise<boolean> {
  try {
    return matchSets(exchange, route.sets);
  } catch (error) {
    exchange.blame(error, route.matcherPlace);
    throw error;
  }
}

function indexOf(entries: ChunkedList<CompiledRoute>, indexFrom: number): RouteIndex | null {
  let keyed = 0;
  for (const entry of entries) if (entry.route.keys !== null) keyed++;
  return keyed === 0 || keyed < indexFrom ? null : RouteIndex.of(entries);
}

interface Edges {
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** Compiles part of a list, and keeps the entries of unchanged routes. Returns `null` if no ranks are free for the new routes. */
function replaceRoutes(
  old: readonly CompiledRoute[],
  routes: readonly Route[],
  edges: Edges,
  origin: ListOrigin,
): { readonly entries: CompiledRoute[]; readonly removed: CompiledRoute[]; readonly added: CompiledRoute[] } | null {
  const entries: CompiledRoute[] = [];
  const [gone, added]: [CompiledRoute[], CompiledRoute[]] = [[], []];
  let done = 0;
  const before = old.map(({ route }) => route);
  for (const { start, removed, at, inserted } of changedRuns(before, routes)) {
    for (; done < start; done++) entries.push(itemAt(old, done));
    for (const end = start + removed; done < end; done++) gone.push(itemAt(old, done));
    const high = old[done]?.rank ?? edges.high;
    const low = entries.at(-1)?.rank ?? edges.low ?? (high ?? 0) - rankStep * (inserted + 1);
    const step = high === undefined ? rankStep : (high - low) / (inserted + 1);
    if (low + step === low || (high !== undefined && high - step === high)) return null;
    for (let i = 0; i < inserted; i++) added.push(compileRoute(itemAt(routes, at + i), low + step * (i + 1), origin));
    entries.push(...added.slice(added.length - inserted));
  }
  for (; done < old.length; done++) entries.push(itemAt(old, done));
  return { entries, removed: gone, added };
}

function compileRoute(route: Route, rank: number, origin: ListOrigin): CompiledRoute {
  for (const place of route.places) place.origin = origin;
  const run = composeChain(route.handlers, route.terminal ? endOfChain : goOnAfter(rank), route.places);
  return { route, rank, run: route.meter === null ? run : route.meter.meter(run) };
}

/** Returns the continuation after a non-terminal route. This is a separate function, so that terminal routes don't allocate a closure. */
function goOnAfter(rank: number): Next {
  const goOn: Next = (exchange) => routingOf(exchange).cursor.list.after(exchange, rank);
  return (exchange) => (++routingOf(exchange).passes % passesPerStack === 0 ? later(goOn, exchange) : goOn(exchange));
}

/** Continues on a new call stack. Non-terminal routes are nested calls, and there may be thousands of them. */
async function later(goOn: Next, exchange: Exchange): Promise<void> {
  await Promise.resolve();
  await goOn(exchange);
}
