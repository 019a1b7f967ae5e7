/** What is counted of one route, by host. */
import { isBusy, type Tally, type TallyBlock } from '@sluice/threads';
import { PlaceCounter } from '../exchange/place.ts';
import { endBatch } from './timing.ts';
import { requestBlockName, requestsIn, type RequestBlockName } from './counts.ts';

/** A route of a server, as names of blocks have it. */
export type RouteKey = Omit<RequestBlockName, 'host'>;

/** The blocks of a route in this thread. */
export class RouteStats {
  readonly key: RouteKey;
  /** The host that came last. */
  readonly counter = new PlaceCounter();
  /** The configuration that it was counted for last: when that is gone, so is the route. */
  node: WeakRef<object> | null = null;
  readonly blocks = new Map<string, TallyBlock>();

  constructor(key: RouteKey) {
    this.key = key;
  }

  /** Has the counter of the route count in a block, for requests to the host that is written so. */
  use(block: TallyBlock, host: string): void {
    const { counter } = this;
    endBatch(counter);
    counter.host = host;
    counter.numbers = block.numbers;
    counter.base = block.base;
    counter.block = block;
  }

  /** Counts under another name what was counted for a host; it is not looked for any more. */
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

/** A host that no route names, with its block. */
export interface OtherHost {
  readonly route: RouteStats;
  readonly host: string;
  readonly block: TallyBlock;
}

/** Most hosts of a thread that are counted without being named by a route. */
const maxOthers = 256;

/** The hosts that no route names: as clients make them up, only the busiest of them are counted apart. */
export class OtherHosts {
  readonly #tally: Tally;
  readonly #hosts: OtherHost[] = [];

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** Makes room for one more, in the place of the one with the fewest requests if there are many; false if that cannot be. */
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

  /** Adds a host for which there is room. */
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
