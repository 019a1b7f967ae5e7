/**
 * Queue of a reverse proxy, for requests while all upstreams are at their limit. A fair limit admits the requests at the front, across all
 * threads. These requests look for an upstream. A request only uses an upstream if there is more capacity than earlier requests need, so no
 * request overtakes another. All capacity that becomes free at the same time is used without messages between threads.
 */
import { HttpError, type DialAddress, type Exchange } from '@sluice/http-app';
import type { SharedCell } from '@sluice/threads';
import type { FairLimit } from '../../common/fair-limit.ts';
import type { QueueMetrics, QueueResult } from './metrics.ts';
import type { PlaceWatch } from './place-watch.ts';
import type { LimitedUpstream, PlaceSeeker } from './place-seeker.ts';
import type { QueueTurn } from './queue-turn.ts';

/** Counter in the shared cell. When a thread dies, its contribution is corrected. */
const waiting = 0;

export interface UpstreamQueueParts {
  /** Semaphore that determines the order of requests and admits those at the front. */
  readonly line: FairLimit;
  readonly cell: SharedCell;
  readonly turn: QueueTurn;
  readonly places: PlaceWatch;
  /** Maximum number of waiting requests. */
  readonly size: number;
  /** Maximum time to wait in the queue, in milliseconds. */
  readonly timeout: number;
  readonly metrics: QueueMetrics | null;
}

export class UpstreamQueue {
  readonly line: FairLimit;
  readonly places: PlaceWatch;
  readonly timeout: number;
  readonly #cell: SharedCell;
  readonly #turn: QueueTurn;
  readonly #size: number;
  readonly #metrics: QueueMetrics | null;
  readonly #retryAfter: string;

  constructor({ line, cell, turn, places, size, timeout, metrics }: UpstreamQueueParts) {
    this.line = line;
    this.#cell = cell;
    this.places = places;
    this.timeout = timeout;
    this.#turn = turn;
    this.#size = size;
    this.#metrics = metrics;
    this.#retryAfter = String(Math.max(1, Math.ceil(timeout / 1000)));
  }

  get isBusy(): boolean {
    return this.line.isBusy;
  }

  /** Counts a request as waiting. Returns false if the queue is full. */
  enter(): boolean {
    return this.#cell.enterBelow(waiting, this.#size);
  }

  leave(): void {
    this.#cell.leave(waiting);
  }

  /** Reports whether waiting is useful: an upstream in the list may have capacity later. */
  isWorthwhile(list: readonly LimitedUpstream[]): boolean {
    return list.some(({ usable }) => usable);
  }

  /** Selects an upstream for a request at the front of the queue. Returns `null` if earlier requests need all the capacity. */
  take<U extends LimitedUpstream>(ticket: number, list: readonly U[], seeker: PlaceSeeker<U>): DialAddress | null {
    const ahead = this.line.ahead(ticket);
    let places = 0;
    for (const upstream of list) if (upstream.usable) places += upstream.freePlaces;
    if (places <= ahead) return null;
    this.#turn.isServing = true;
    try {
      return seeker.take(list);
    } finally {
      this.#turn.isServing = false;
    }
  }

  count(result: QueueResult): void {
    this.#metrics?.count(result);
  }

  /** Returns the error for a request for which no upstream was selected. */
  rejection(exchange: Exchange, result: 'rejected' | 'timed_out'): HttpError {
    this.count(result);
    exchange.response.headers.set('retry-after', this.#retryAfter);
    return new HttpError(
      503,
      result === 'rejected'
        ? `all upstreams are at their limit, and ${this.#size} requests are waiting: the queue is full`
        : `all upstreams stayed at their limit for ${this.timeout / 1000} s: the queue timeout expired`,
    );
  }
}
