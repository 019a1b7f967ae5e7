/** Counts the requests of a canary or of the active configuration, for comparing the two. */
import { performance } from 'node:perf_hooks';
import type { Json } from '@sluice/base';
import { bucketOf, type TallyBlock } from '@sluice/threads';
import type { Exchange } from '../exchange/exchange.ts';
import type { HandlerPlace } from '../exchange/place.ts';
import { upstreamFailures } from '../stats/counts.ts';
import { classOf, isUpstreamFailure } from '../stats/outcome.ts';

/** Maximum number of enclosing routes to examine. The limit is necessary because a named route that invokes itself forms a cycle. */
const maxAround = 100;

/**
 * Target interval between timed requests, in milliseconds. If requests arrive more often than every `min` milliseconds, fewer requests are
 * timed. If they arrive less often than every `max` milliseconds, all requests are timed.
 */
const interval = { min: 0.5, max: 10 };
const maxBatch = 64;

/** Returns the index of a request's counter block. Returns -1 if the request is not compared. */
type CellOf = (exchange: Exchange) => number;

/** Request counter of one thread, for either the canary or the active configuration. */
export class SideMeter {
  /** Counter blocks: one per client group for the new side (see `CanarySplit.cellOf`), and a single block for the old side. */
  readonly #blocks: readonly TallyBlock[];
  readonly #cellOf: CellOf;
  readonly #routes: ReadonlySet<Json> | null;
  readonly #isCounted = new Map<HandlerPlace, boolean>();
  /** The most recent place and its result, because consecutive requests often have the same place. */
  #lastPlace: HandlerPlace | null = null;
  #isLastCounted = false;
  /** Number of requests from one timed request to the next. Reading the clock for every request would dominate the cost of counting. */
  #batch = 1;
  /** Number of requests until the next timed request. */
  #left = 1;
  #timedAt = 0;

  /** `routes` are the routes whose requests are counted. `null` counts all requests of the server. */
  constructor(blocks: readonly TallyBlock[], cellOf: CellOf, routes: ReadonlySet<Json> | null) {
    this.#blocks = blocks;
    this.#cellOf = cellOf;
    this.#routes = routes;
  }

  count(exchange: Exchange): void {
    if (!this.covers(exchange.place)) return;
    const block = this.#blocks[this.#cellOf(exchange)];
    if (block === undefined) return;
    const { writer } = exchange;
    block.add(classOf(exchange), 1);
    if (writer.status >= 500 && isUpstreamFailure(exchange)) block.add(upstreamFailures, 1);
    if (!writer.upgraded && --this.#left === 0) this.#time(exchange, block);
  }

  /**
   * Times every Nth request, so that only a sample of requests is timed on busy servers. Comparisons use relative frequencies of latencies,
   * not their counts.
   */
  #time({ startedAt }: Exchange, block: TallyBlock): void {
    const now = performance.now();
    block.observe(bucketOf(now - startedAt), 1);
    const elapsed = now - this.#timedAt;
    if (elapsed > interval.max) this.#batch = 1;
    else if (elapsed < interval.min) this.#batch = Math.min(this.#batch * 2, maxBatch);
    this.#left = this.#batch;
    this.#timedAt = now;
  }

  /** Reports whether a handler position is within the counted routes. */
  covers(place: HandlerPlace | null): boolean {
    const routes = this.#routes;
    if (routes === null) return true;
    if (place === null) return false;
    if (place === this.#lastPlace) return this.#isLastCounted;
    let isCounted = this.#isCounted.get(place);
    if (isCounted === undefined) {
      isCounted = isWithin(place, routes);
      this.#isCounted.set(place, isCounted);
    }
    this.#lastPlace = place;
    this.#isLastCounted = isCounted;
    return isCounted;
  }
}

function isWithin(place: HandlerPlace, routes: ReadonlySet<Json>): boolean {
  let at: HandlerPlace | null = place;
  for (let depth = 0; at !== null && depth < maxAround; depth++) {
    if (at.node !== null && routes.has(at.node)) return true;
    at = at.origin?.from ?? null;
  }
  return false;
}
