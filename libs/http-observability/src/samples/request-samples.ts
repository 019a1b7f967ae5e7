/** Recorded requests of a server, kept in the control thread. Memory use is bounded. */
import { guarded, taskOf } from '@sluice/base';
import type { SampleSettings } from '@sluice/http-app';
import { token, type Token } from '@sluice/registry';
import type { ThreadBus } from '@sluice/threads';
import { sampledTopic } from './sample.ts';

/** Maximum total size of recorded requests, in UTF-16 code units of JSON. */
const maxSize = 32 * 1024 * 1024;
/** Maximum age of a recorded request, in milliseconds: one week. */
const maxAge = 7 * 86_400_000;
/** Number of random routes to compare when searching for a route with many recorded requests. */
const candidates = 16;

interface KeptRecord {
  readonly record: string;
  readonly at: number;
}

/** A recorded request as JSON, with its route key and the time at which it was added, in milliseconds. */
export interface KeyedRecord extends KeptRecord {
  readonly key: string;
}

/** Keeps up to `perRoute` recorded requests for each route and host. Busy routes therefore don't evict the requests of quiet routes. */
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

  /** Number of additions and deletions so far, used to detect changes. */
  get changes(): number {
    return this.#changes;
  }

  get settings(): SampleSettings {
    return this.#settings;
  }

  /** Sets the limits and deletes excess recorded requests. */
  configure(settings: SampleSettings): void {
    // Compare the settings first. Every configuration change calls this method, usually with unchanged settings, and there can be thousands
    // of routes.
    const isLower = settings.perRoute < this.#settings.perRoute;
    this.#settings = settings;
    for (const [key, records] of isLower ? this.#routes : [])
      while (records.length > settings.perRoute) this.#drop(key, records, this.#below(records.length));
    this.#shrink();
  }

  /** Adds a recorded request. If the route is full, the new request replaces a random one. */
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

  /** Returns the newest recorded requests as parsed JSON, newest first. */
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

  /** Deletes all recorded requests and returns their number. */
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

  /** Compares some random routes and returns the one with the most recorded requests. */
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

/** Service token of a server's recorded requests: `server.service(requestSamplesToken)`. */
export const requestSamplesToken: Token<RequestSamples> = token<RequestSamples>('request-samples');
