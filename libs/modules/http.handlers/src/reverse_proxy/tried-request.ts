/** The tries of a proxied request: which upstream has it now, which have failed with it, and how long that took. */
import { performance } from 'node:perf_hooks';
import { timeOfRead } from '@sluice/base';
import type { DialAddress } from '@sluice/http-app';
import { UpstreamExchange } from './upstream-exchange.ts';
import type { ProxyUpstream } from './proxy-upstream.ts';
import { mayTryAgain } from './retry.ts';
import { selectUpstream } from './select-upstream.ts';

/** A request that is sent to one upstream after the other. Times in milliseconds. */
export abstract class TriedRequest extends UpstreamExchange {
  /** When the first try began, of `performance.now()`. */
  readonly startedAt: number = performance.now();
  tries = 0;
  /** The upstream of the last try, and where it was dialed; `null` before. */
  upstream: ProxyUpstream | null = null;
  address: DialAddress | null = null;
  /** From the sending of the last try to the head of its response, and to its end; -1 before. */
  latency = -1;
  duration = -1;
  /** Upstreams that this request has failed with; `null` for none. */
  #failed: ProxyUpstream[] | null = null;
  /** Whether the upstream has this request counted in. */
  #counted = false;
  #sentAt = 0;

  /** Another try begins. */
  protected beginTry(): void {
    if (this.tries++ > 0) this.restoreFields();
  }

  /** Takes an upstream for this try, and makes the request fit it. `null` if none is available. */
  protected takeUpstream(list: readonly ProxyUpstream[]): DialAddress | null {
    const { parts } = this;
    const upstream = selectUpstream(parts.policy, list, this.exchange, this.#failed);
    if (upstream === null) return null;
    this.upstream = upstream;
    this.#counted = true;
    if (this.tries > 1) upstream.host.countRetry();
    this.received = 0;
    this.duration = -1;
    this.#sentAt = performance.now();
    const address = (this.address = upstream.dial(this.exchange));
    if (parts.namesUpstream) this.nameUpstream(address);
    if (parts.requestOperations !== null) this.changeFields(parts.requestOperations);
    return address;
  }

  /** The head of a response has come. */
  protected noteLatency(): number {
    return (this.latency = this.sinceSent());
  }

  /** Time since the last try was sent. */
  protected sinceSent(): number {
    return timeOfRead() - this.#sentAt;
  }

  /** Whether the rules allow another try. */
  protected mayTryAgain(): boolean {
    return mayTryAgain(this.parts.retry, this.tries, this.startedAt) && !this.exchange.aborted;
  }

  /** Remembers that the upstream of the last try has failed, so that others are preferred. */
  protected noteFailed(): void {
    const { upstream } = this;
    if (upstream === null) return;
    if (this.#failed === null) this.#failed = [upstream];
    else if (!this.#failed.includes(upstream)) this.#failed.push(upstream);
  }

  /** The upstream of the last try has no more to do with this request. */
  protected leave(): void {
    if (!this.#counted) return;
    this.#counted = false;
    const upstream = this.upstream as ProxyUpstream;
    upstream.host.countBytes(this.exchange.arrivingBody.received, this.received);
    upstream.leave();
    this.duration = this.sinceSent();
  }
}
