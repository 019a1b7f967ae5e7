/** Recorded requests of a server, in the control thread. Memory use is bounded. */
import { guarded, taskOf } from '@sluice/base';
import type { SampleSettings } from '@sluice/http-app';
import { token, type Token } from '@sluice/registry';
import type { ThreadBus } from '@sluice/threads';
import { sampledTopic } from './sample.ts';

/** Maximum total size of the records, in UTF-16 code units of JSON. */
const maxSize = 32 * 1024 * 1024;
/** Age at which a record is dropped, in milliseconds: one week. */
const maxAge = 7 * 86_400_000;
/** Number of random routes that are compared to find a route with many records. */
const candidates = 16;

interface KeptRecord {
  readonly record: string;
  readonly at: number;
}

/** Record as JSON, with the key of its route and the time in milliseconds at which it was added. */
export interface KeyedRecord extends KeptRecord {
  readonly key: string;
}

/** Keeps up to `perRoute` records for each route and host, so that busy routes do not evict the records of quiet routes. */
export class RequestSamples {
  readonly #routes = new Map<string, KeptRecord[]>();
  readonly #random: () => number;
  #settings: SampleSettings = { perRoute: 0, maxRequests: 0, maxBody: 0, allBodies: false, persist: false };
  #count = 0;
  #size = 0;
  #changes = 0;

  constructor(bus: ThreadBus, random: () => number = Math.random) {
    this.#random = random;
    bus.onReport(
      sampledTopic,
      guarded(taskOf('samples'), ({ key, record }) => this.add(key, record)),
    );
  }

  get count(): number {
    return this.#count;
  }

  /** Number of additions and deletions so far. */
  get changes(): number {
    return this.#changes;
  }

  get settings(): SampleSettings {
    return this.#settings;
  }

  /** Sets the limits, and drops excess records. */
  configure(settings: SampleSettings): void {
    // Each change configures the samples, usually with the same settings, and there can be thousands of routes.
    const isLower = settings.perRoute < this.#settings.perRoute;
    this.#settings = settings;
    for (const [key, records] of isLower ? this.#routes : [])
      while (records.length > settings.perRoute) this.#drop(key, records, this.#below(records.length));
    this.#shrink();
  }

  /** Adds a record. If the route is full, the new record replaces a random one. */
  add(key: string, record: string, at: number = Date.now()): void {
    const { perRoute } = this.#settings;
    if (perRoute === 0) return;
    let records = this.#routes.get(key);
    if (records === undefined) this.#routes.set(key, (records = []));
    while (records.length >= perRoute) this.#remove(records, this.#below(records.length));
    records.push({ record, at });
    this.#count++;
    this.#changes++;
    this.#size += record.length;
    this.#shrink();
  }

  /** Returns the newest records as parsed JSON, newest first. */
  records(limit: number = Number.POSITIVE_INFINITY): unknown[] {
    const oldest = Date.now() - maxAge;
    for (const [key, records] of this.#routes)
      for (let i = records.length - 1; i >= 0; i--) if ((records[i]?.at ?? 0) < oldest) this.#drop(key, records, i);
    return [...this.#routes.values()]
      .flat()
      .toSorted((a, b) => b.at - a.at)
      .slice(0, limit)
      .map(({ record }) => JSON.parse(record) as unknown);
  }

  keyed(): KeyedRecord[] {
    return [...this.#routes].flatMap(([key, records]) => records.map(({ record, at }) => ({ key, record, at })));
  }

  /** Drops all records. Returns the number of dropped records. */
  clear(): number {
    const dropped = this.#count;
    this.#routes.clear();
    this.#changes++;
    this.#count = this.#size = 0;
    return dropped;
  }

  #shrink(): void {
    while (this.#count > this.#settings.maxRequests || this.#size > maxSize) {
      const [key, records] = this.#largeRoute();
      this.#drop(key, records, this.#below(records.length));
    }
  }

  /** Selects some routes at random, and returns the route with the most records. */
  #largeRoute(): readonly [string, KeptRecord[]] {
    const routes = [...this.#routes];
    let [largest] = routes;
    for (let i = 0; i < candidates; i++) {
      const other = routes[this.#below(routes.length)];
      if ((other?.[1].length ?? 0) > (largest?.[1].length ?? 0)) largest = other;
    }
    return largest as readonly [string, KeptRecord[]];
  }

  #drop(key: string, records: KeptRecord[], index: number): void {
    this.#remove(records, index);
    if (records.length === 0) this.#routes.delete(key);
  }

  #remove(records: KeptRecord[], index: number): void {
    const [removed] = records.splice(index, 1);
    this.#changes++;
    this.#count--;
    this.#size -= removed?.record.length ?? 0;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

/** Token for the request samples of a server: `server.service(requestSamplesToken)`. */
export const requestSamplesToken: Token<RequestSamples> = token<RequestSamples>('request-samples');
