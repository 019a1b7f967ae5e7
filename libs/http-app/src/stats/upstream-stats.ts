/** Counts what is sent to upstreams, by address. */
import { byteAt } from '@sluice/base';
import { bucketOf, inFlightNumber, isBusy, type Tally, type TallyBlock } from '@sluice/threads';
import { bytesIn, bytesOut, numberOfStatus, requestsIn, retries, upstreamBlockName } from './counts.ts';

/** Most addresses of a thread that are counted apart: they may come from requests. */
const maxAddresses = 512;

/** What is sent to one upstream by one thread. */
export class UpstreamCounter {
  readonly address: string;
  readonly #stats: UpstreamStats;
  /** `null` until it is used, and again after another took its place, which happens while nothing is in flight. */
  #block: TallyBlock | null = null;

  constructor(address: string, stats: UpstreamStats) {
    this.address = address;
    this.#stats = stats;
  }

  /** A request is sent. */
  enter(): void {
    this.#block ??= this.#stats.blockOf(this);
    this.#block.add(inFlightNumber, 1);
  }

  /** It is over. */
  leave(): void {
    this.#block?.add(inFlightNumber, -1);
  }

  /** The head of its response came after so many milliseconds; status 0: none came. */
  count(status: number, latency: number): void {
    const block = (this.#block ??= this.#stats.blockOf(this));
    block.add(byteAt(numberOfStatus, status & 1023), 1);
    if (status !== 0) block.observe(bucketOf(latency), 1);
  }

  /** A request is sent to it after another try has failed. */
  retry(): void {
    const block = (this.#block ??= this.#stats.blockOf(this));
    block.add(retries, 1);
  }

  /** Bytes of bodies of a request and its response. */
  transfer(sent: number, received: number): void {
    const block = this.#block;
    if (block === null) return;
    block.add(bytesIn, sent);
    block.add(bytesOut, received);
  }

  /** How many requests are counted apart; `null` while some are in flight. */
  get requests(): number | null {
    if (this.#block === null) return 0;
    return isBusy(this.#block) ? null : requestsIn(this.#block);
  }

  /** Takes its block away. */
  giveUp(): TallyBlock | null {
    const block = this.#block;
    this.#block = null;
    return block;
  }
}

/** The upstreams of a thread. */
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

  /** Called by counters that have none. */
  blockOf(counter: UpstreamCounter): TallyBlock {
    const isCounted = this.#counters.get(counter.address) === counter;
    const block = isCounted ? this.#tally.acquire(upstreamBlockName(counter.address)) : null;
    return block ?? this.#tally.acquire(upstreamBlockName('')) ?? this.#tally.reserve;
  }

  /** Counts the address with the fewest requests among the others. */
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
