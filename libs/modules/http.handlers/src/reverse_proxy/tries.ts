/** Attempts of a proxied request: current upstream, failed upstreams, and latency. */
import { performance } from 'node:perf_hooks';
import { timeOfRead } from '@sluice/base';
import type { DialAddress, Exchange, UpstreamError } from '@sluice/http-app';
import type { ProxyParts } from './proxy-parts.ts';
import type { ProxyUpstream } from './proxy-upstream.ts';
import { mayTryAgain } from './retry.ts';
import { selectUpstream } from './select-upstream.ts';

/** Times in milliseconds. */
export class Tries {
  /** Start of the first attempt, in milliseconds of `performance.now()`. */
  readonly startedAt: number = performance.now();
  count = 0;
  /** Upstream and address of the last attempt; `null` before the first. */
  upstream: ProxyUpstream | null = null;
  address: DialAddress | null = null;
  /** Milliseconds from the last request to the response head and to the end of the response; -1 if not known yet. */
  latency = -1;
  duration = -1;
  readonly #exchange: Exchange;
  readonly #parts: ProxyParts;
  /** Upstreams that this request failed on; `null` for none. */
  #failed: ProxyUpstream[] | null = null;
  /** True if {@link upstream} counts this request as in flight. */
  #isCounted = false;
  #sentAt = 0;

  constructor(exchange: Exchange, parts: ProxyParts) {
    this.#exchange = exchange;
    this.#parts = parts;
  }

  /** Starts the next attempt with a selection, unless earlier requests wait in the queue. */
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

  /** Avoids the last upstream in the next selections. */
  avoidUpstream(): void {
    const { upstream } = this;
    if (upstream === null) return;
    if (this.#failed === null) this.#failed = [upstream];
    else if (!this.#failed.includes(upstream)) this.#failed.push(upstream);
  }

  get mayTryAgain(): boolean {
    return mayTryAgain(this.#parts.retry, this.count, this.startedAt) && !this.#exchange.aborted;
  }

  /** Ends counting the request at its upstream, once. `received` is the number of response body bytes. */
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
