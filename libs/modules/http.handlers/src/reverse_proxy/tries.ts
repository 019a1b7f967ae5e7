/** Attempts of a proxied request: the current upstream, failed upstreams, and latency. */
import { performance } from 'node:perf_hooks';
import { timeOfRead } from '@sluice/base';
import type { DialAddress, Exchange, UpstreamError } from '@sluice/http-app';
import type { ProxyParts } from './proxy-parts.ts';
import type { ProxyUpstream } from './proxy-upstream.ts';
import { mayTryAgain } from './retry.ts';
import { selectUpstream } from './select-upstream.ts';

/** Times in milliseconds. */
export class Tries {
  /** Start time of the first attempt, as a `performance.now()` timestamp. */
  readonly startedAt: number = performance.now();
  count = 0;
  /** Upstream of the last attempt, and its address. `null` before the first attempt. */
  upstream: ProxyUpstream | null = null;
  address: DialAddress | null = null;
  /** Times from the start of the last attempt to the response headers, and to the end of the response, in milliseconds. -1 if not known yet. */
  latency = -1;
  duration = -1;
  readonly #exchange: Exchange;
  readonly #parts: ProxyParts;
  /** Upstreams on which this request has failed, or `null` if there are none. */
  #failed: ProxyUpstream[] | null = null;
  /** True if this request counts as in flight at {@link upstream}. */
  #isCounted = false;
  #sentAt = 0;

  constructor(exchange: Exchange, parts: ProxyParts) {
    this.#exchange = exchange;
    this.#parts = parts;
  }

  /** Starts the next attempt by selecting an upstream. Does not select one if earlier requests are waiting in the queue. */
  next(list: readonly ProxyUpstream[]): DialAddress | null {
    this.count++;
    return this.#parts.queue?.isBusy === true ? null : this.select(list);
  }

  /** Selects an upstream for this attempt. Returns its address, or `null` if none is available. */
  select(list: readonly ProxyUpstream[]): DialAddress | null {
    const upstream = selectUpstream(this.#parts.policy, list, this.#exchange, this.#failed);
    if (upstream === null) return null;
    this.upstream = upstream;
    this.#isCounted = true;
    if (this.count > 1) upstream.host.countRetry();
    this.duration = -1;
    this.#sentAt = performance.now();
    return (this.address = upstream.dial(this.#exchange));
  }

  responded(status: number): void {
    const upstream = this.upstream as ProxyUpstream;
    this.latency = this.#sinceSent();
    upstream.responded(status, this.latency);
    this.#parts.roundtrips.responded(this.#exchange, upstream.address, status, this.latency);
  }

  upgraded(): void {
    this.latency = this.#sinceSent();
  }

  failed(error: UpstreamError): void {
    const upstream = this.upstream as ProxyUpstream;
    const time = this.#sinceSent();
    upstream.failed(error, time);
    this.#parts.roundtrips.failed(this.#exchange, upstream.address, error, time);
  }

  /** Makes the next selections avoid the last upstream. */
  avoidUpstream(): void {
    const { upstream } = this;
    if (upstream === null) return;
    if (this.#failed === null) this.#failed = [upstream];
    else if (!this.#failed.includes(upstream)) this.#failed.push(upstream);
  }

  get mayTryAgain(): boolean {
    return mayTryAgain(this.#parts.retry, this.count, this.startedAt) && !this.#exchange.aborted;
  }

  /**
   * Records that the request is no longer in flight at its upstream. Only the first call has an effect. `received` is the number of bytes
   * in the response body.
   */
  leave(received: number): void {
    if (!this.#isCounted) return;
    this.#isCounted = false;
    const upstream = this.upstream as ProxyUpstream;
    upstream.host.countBytes(this.#exchange.arrivingBody.received, received);
    upstream.leave();
    this.duration = this.#sinceSent();
  }

  #sinceSent(): number {
    return timeOfRead() - this.#sentAt;
  }
}
