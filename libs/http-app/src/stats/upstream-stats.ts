/** Counts requests to upstreams, by address. */
import { byteAt } from '@sluice/base';
import { bucketOf, inFlightNumber, isBusy, type Tally, type TallyBlock } from '@sluice/threads';
import { bytesIn, bytesOut, numberOfStatus, requestsIn, retries, upstreamBlockName } from './counts.ts';

/** Maximum number of upstream addresses per thread with separate counters. Bounded because request data may determine addresses. */
const maxAddresses = 512;

/** Counter for requests from one thread to one upstream. */
export class UpstreamCounter {
  readonly address: string;
  readonly #stats: UpstreamStats;
  /** Counter block. `null` before first use and after eviction. A block with requests in flight is never evicted. */
  #block: TallyBlock | null = null;

  constructor(address: string, stats: UpstreamStats) {
    this.address = address;
    this.#stats = stats;
  }

  /** Counts a request as in flight. */
  enter(): void {
    this.#block ??= this.#stats.blockOf(this);
    this.#block.add(inFlightNumber, 1);
  }

  /** Counts a request as completed. */
  leave(): void {
    this.#block?.add(inFlightNumber, -1);
  }

  /** Counts a response head and its latency, in milliseconds. Status 0 means that there was no response. */
  count(status: number, latency: number): void {
    const block = (this.#block ??= this.#stats.blockOf(this));
    block.add(byteAt(numberOfStatus, status & 1023), 1);
    if (status !== 0) block.observe(bucketOf(latency), 1);
  }

  /** Counts a retry, that is, a request sent after a failed attempt. */
  retry(): void {
    const block = (this.#block ??= this.#stats.blockOf(this));
    block.add(retries, 1);
  }

  /** Adds the body bytes of a request and its response. */
  transfer(sent: number, received: number): void {
    const block = this.#block;
    if (block === null) return;
    block.add(bytesIn, sent);
    block.add(bytesOut, received);
  }

  /** Number of requests in this counter's block; `null` while requests are in flight. */
  get requests(): number | null {
    if (this.#block === null) return 0;
    return isBusy(this.#block) ? null : requestsIn(this.#block);
  }

  /** Releases this counter's block and returns it. */
  giveUp(): TallyBlock | null {
    const block = this.#block;
    this.#block = null;
    return block;
  }
}

export class UpstreamStats {
  readonly #tally: Tally;
  readonly #counters = new Map<string, UpstreamCounter>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  of(address: string): UpstreamCounter {
    let counter = this.#counters.get(address);
    if (counter === undefined) {
      if (this.#counters.size >= maxAddresses) this.#makeRoom();
      counter = new UpstreamCounter(address, this);
      if (this.#counters.size < maxAddresses) this.#counters.set(address, counter);
    }
    return counter;
  }

  /** Returns a block for a counter that has none. Called by counters. */
  blockOf(counter: UpstreamCounter): TallyBlock {
    const isCounted = this.#counters.get(counter.address) === counter;
    const block = isCounted ? this.#tally.acquire(upstreamBlockName(counter.address)) : null;
    return block ?? this.#tally.acquire(upstreamBlockName('')) ?? this.#tally.reserve;
  }

  /** Evicts the address with the fewest requests, and adds its counts to the shared block for other addresses. */
  #makeRoom(): void {
    let least: UpstreamCounter | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const counter of this.#counters.values()) {
      const { requests } = counter;
      if (requests === null || requests >= fewest) continue;
      least = counter;
      fewest = requests;
    }
    if (least === null) return;
    this.#counters.delete(least.address);
    const block = least.giveUp();
    if (block?.name === upstreamBlockName(least.address)) this.#tally.rename(block, upstreamBlockName(''));
  }
}
