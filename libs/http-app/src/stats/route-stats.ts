/** Counters of one route, by host. */
import { isBusy, type Tally, type TallyBlock } from '@sluice/threads';
import { PlaceCounter } from '../exchange/place.ts';
import { endBatch } from './timing.ts';
import { requestBlockName, requestsIn, type RequestBlockName } from './counts.ts';

/** Key that identifies a route of a server in block names. */
export type RouteKey = Omit<RequestBlockName, 'host'>;

/** Counter blocks of a route in this thread. */
export class RouteStats {
  readonly key: RouteKey;
  /** Counter for the host of the most recent request. */
  readonly counter = new PlaceCounter();
  /** Configuration node of the last counted request. Once the node has been garbage-collected, the route counts as removed. */
  node: WeakRef<object> | null = null;
  readonly blocks = new Map<string, TallyBlock>();

  constructor(key: RouteKey) {
    this.key = key;
  }

  /** Switches the route's counter to the block of a host. `host` is spelled as in requests. */
  use(block: TallyBlock, host: string): void {
    const { counter } = this;
    endBatch(counter);
    counter.host = host;
    counter.numbers = block.numbers;
    counter.base = block.base;
    counter.block = block;
  }

  /** Adds a host's counts to another block and stops counting the host separately. */
  drop(host: string, tally: Tally, name: string): void {
    const block = this.blocks.get(host);
    if (block === undefined) return;
    this.blocks.delete(host);
    const { counter } = this;
    if (counter.block === block) {
      endBatch(counter);
      counter.host = null;
      counter.block = null;
    }
    tally.rename(block, name);
  }
}

/** A host that is not named by any route, and its counter block. */
export interface OtherHost {
  readonly route: RouteStats;
  readonly host: string;
  readonly block: TallyBlock;
}

/** Maximum number of hosts per thread that have separate counters although no route names them. */
const maxOthers = 256;

/** Hosts that are not named by any route. Clients can invent such hosts, so only the hosts with the most requests get separate counters. */
export class OtherHosts {
  readonly #tally: Tally;
  readonly #hosts: OtherHost[] = [];

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** Makes room for one more host by evicting the host with the fewest requests. Returns false if every host has requests in flight. */
  makeRoom(): boolean {
    if (this.#hosts.length < maxOthers) return true;
    let least = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [i, other] of this.#hosts.entries()) {
      const requests = requestsIn(other.block);
      if (requests >= fewest || isBusy(other.block)) continue;
      least = i;
      fewest = requests;
    }
    const departed = this.#hosts[least];
    if (departed === undefined) return false;
    const { route, host } = departed;
    this.#hosts[least] = this.#hosts.at(-1) as OtherHost;
    this.#hosts.pop();
    route.drop(host, this.#tally, requestBlockName({ ...route.key, host: '' }));
    return true;
  }

  /** Adds a host. The caller must ensure that there is room. */
  add(other: OtherHost): void {
    this.#hosts.push(other);
  }

  has(block: TallyBlock): boolean {
    return this.#hosts.some((other) => other.block === block);
  }

  forget(route: RouteStats): void {
    for (let i = this.#hosts.length - 1; i >= 0; i--) if (this.#hosts[i]?.route === route) this.#hosts.splice(i, 1);
  }
}
