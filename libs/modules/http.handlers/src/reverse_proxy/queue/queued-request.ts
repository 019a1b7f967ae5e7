/** A request that waits in the queue until an upstream has capacity. */
import { performance } from 'node:perf_hooks';
import { guarded } from '@sluice/base';
import type { DialAddress, UpstreamWaiters } from '@sluice/http-app';
import type { QueueResult } from './metrics.ts';
import type { LimitedUpstream, PlaceSeeker } from './place-seeker.ts';
import type { PlaceWatcher } from './place-watch.ts';
import type { UpstreamQueue } from './upstream-queue.ts';

/** Waits until an upstream is selected, the queue timeout expires, or the client disconnects. */
export class QueuedRequest<U extends LimitedUpstream> implements PlaceWatcher {
  /** Total time that the request has waited, including earlier waits, in milliseconds. */
  waited: number;
  readonly #queue: UpstreamQueue;
  readonly #seeker: PlaceSeeker<U>;
  readonly #since = performance.now();
  #counted: readonly UpstreamWaiters[] = [];
  #timer: NodeJS.Timeout | null = null;
  #ticket: number | null = null;
  /** Removes the request from the queue. `null` if the request is at the front of the queue. */
  #leaveLine: (() => boolean) | null = null;
  #isOver = false;
  /** True while the addresses of dynamic upstreams are being looked up. */
  #isAsking = false;

  constructor(queue: UpstreamQueue, seeker: PlaceSeeker<U>, waited: number) {
    this.#queue = queue;
    this.#seeker = seeker;
    this.waited = waited;
  }

  /** Enters the queue. Can select an upstream immediately. */
  enter(list: readonly U[]): void {
    const { line, timeout } = this.#queue;
    if (!this.#queue.enter()) {
      this.#isOver = true;
      this.#seeker.onNoPlace(this.#queue.rejection(this.#seeker.exchange, 'rejected'));
      return;
    }
    this.#ticket = line.enter();
    if (this.#ticket === null) this.#leaveLine = line.queue({ admit: (ticket) => this.#advance(ticket) });
    this.#counted = list.flatMap(({ host: { waiters } }) => waiters ?? []);
    for (const waiters of this.#counted) waiters.enter();
    this.#timer = setTimeout(
      guarded(this.#seeker, () => this.#expire()),
      Math.max(0, timeout - this.waited),
    );
    if (this.#ticket !== null) this.#queue.places.add(this);
  }

  /** Called when the client disconnects or the request fails. */
  cancel(): void {
    if (this.#isOver) return;
    this.#queue.count('aborted');
    this.#isOver = true;
    this.#leave();
  }

  look(): void {
    if (this.#isOver || this.#isAsking) return;
    let list: readonly U[] | Promise<readonly U[]>;
    try {
      list = this.#seeker.list();
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (Array.isArray(list)) this.#lookIn(list as readonly U[]);
    else this.#ask(list as Promise<readonly U[]>);
  }

  #advance(ticket: number): void {
    if (this.#isOver) return;
    this.#ticket = ticket;
    this.#leaveLine = null;
    this.#queue.places.add(this);
  }

  #ask(list: Promise<readonly U[]>): void {
    this.#isAsking = true;
    list.then(
      guarded(this.#seeker, (found) => {
        this.#isAsking = false;
        if (!this.#isOver) this.#lookIn(found);
      }),
      guarded(this.#seeker, (error: unknown) => this.#fail(error)),
    );
  }

  #lookIn(list: readonly U[]): void {
    let address: DialAddress | null;
    try {
      address = this.#queue.take(this.#ticket as number, list, this.#seeker);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (address !== null) this.#end('queued', () => this.#seeker.onPlace(address));
    else if (!this.#queue.isWorthwhile(list)) this.#end('unavailable', () => this.#seeker.onNoPlace(null));
  }

  #expire(): void {
    if (this.#isOver) return;
    const error = this.#queue.rejection(this.#seeker.exchange, 'timed_out');
    this.#end(null, () => this.#seeker.onNoPlace(error));
  }

  #fail(error: unknown): void {
    if (!this.#isOver) this.#end(null, () => this.#seeker.onNoPlace(error as Error));
  }

  /** Let the next request proceed only after this one has been sent. This preserves their order. */
  #end(result: QueueResult | null, report: () => void): void {
    this.#isOver = true;
    this.waited += performance.now() - this.#since;
    if (result !== null) this.#queue.count(result);
    try {
      report();
    } finally {
      this.#leave();
    }
  }

  #leave(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const waiters of this.#counted) waiters.leave();
    this.#queue.leave();
    this.#queue.places.delete(this);
    // The request may have reached the front of the queue at the same moment. In that case, record it as complete.
    if (this.#leaveLine === null || !this.#leaveLine()) this.#queue.line.complete();
  }
}
