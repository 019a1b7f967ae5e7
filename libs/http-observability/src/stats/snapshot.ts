/** Counters of all threads by server, route, host and upstream. Created in the control thread. */
import { floatAt } from '@sluice/base';
import { handshakeBlock } from '@sluice/contracts';
import { bucketCount, type TallyReading } from '@sluice/threads';
import { isCanaryBlock, parseRequestBlockName, parseUpstreamBlockName, retries } from '@sluice/http-app';
import type { DocumentRoute, DocumentRoutes } from './document-routes.ts';

/** Latency buckets from the first to the last nonzero bucket. Most distributions are narrow, so this form is compact. */
export interface CompactBuckets {
  readonly first: number;
  readonly counts: Float64Array;
}

/** Counters of one server, route, host or upstream. */
export class Entry<K> {
  readonly of: K;
  /** Numbers in the order of counter blocks. */
  readonly numbers: Float64Array = new Float64Array(retries + 1);
  /** Number of requests that no nested route counts. */
  own = 0;
  #readings: TallyReading[] = [];
  #buckets: CompactBuckets | null = null;

  constructor(of: K) {
    this.of = of;
  }

  /** Adds the counters of a block to this entry. */
  add(reading: TallyReading): void {
    for (let i = 0; i <= retries; i++) this.numbers[i] = floatAt(this.numbers, i) + floatAt(reading.numbers, i);
    this.#readings.push(reading);
  }

  /** Latency distribution. It no longer changes after it has been read. */
  get buckets(): CompactBuckets {
    if (this.#buckets !== null) return this.#buckets;
    const buckets = new Float64Array(bucketCount);
    for (const reading of this.#readings) reading.addBuckets(buckets);
    const compacted = compact(buckets);
    this.#buckets = compacted;
    this.#readings = [];
    return compacted;
  }

  /** Sets a latency distribution that is known not to have changed. */
  set buckets(buckets: CompactBuckets) {
    this.#buckets = buckets;
    this.#readings = [];
  }
}

export interface ServerHost {
  readonly server: string;
  readonly host: string;
}

/** All counters at one point in time. */
export class Snapshot {
  /** Time of the snapshot in milliseconds since 1970, for display. */
  readonly at: number;
  /** Time of the snapshot in milliseconds on the monotonic clock. Used for intervals, because the system clock may be set back. */
  readonly clock: number = performance.now();
  readonly total = new Entry(null);
  readonly servers = new Map<string, Entry<string>>();
  readonly routes = new Map<string, Entry<DocumentRoute>>();
  readonly hosts = new Map<string, Entry<ServerHost>>();
  readonly upstreams = new Map<string, Entry<string>>();

  /** `routes` contains the routes of the active configuration. */
  constructor(readings: Iterable<TallyReading>, routes: DocumentRoutes, at: number) {
    this.at = at;
    for (const reading of readings) {
      if (reading.name === handshakeBlock || isCanaryBlock(reading.name)) continue;
      const upstream = parseUpstreamBlockName(reading.name);
      if (upstream === null) this.#addRequests(reading, routes);
      else entryOf(this.upstreams, upstream, upstream).add(reading);
    }
  }

  /** Computes all distributions, so that a later snapshot can be compared with this snapshot. */
  settle(): void {
    for (const entries of [this.servers, this.routes, this.hosts, this.upstreams])
      for (const { buckets } of entries.values()) void buckets;
    void this.total.buckets;
  }

  #addRequests(reading: TallyReading, routes: DocumentRoutes): void {
    this.total.add(reading);
    const name = parseRequestBlockName(reading.name);
    const server = name === null ? null : routes.serverOf(name);
    if (name === null || server === null) return;
    entryOf(this.servers, server, server).add(reading);
    entryOf(this.hosts, `${name.server}${name.host}`, { server, host: name.host }).add(reading);
    const route = routes.routeOf(name);
    for (let at = route; at !== null; at = at.outer) {
      const entry = entryOf(this.routes, at.key, at);
      entry.add(reading);
      if (at === route) entry.own += requestsOf(reading.numbers);
    }
  }
}

export function requestsOf(numbers: Float64Array): number {
  let requests = 0;
  for (let i = 0; i < 6; i++) requests += floatAt(numbers, i);
  return requests;
}

function entryOf<E>(entries: Map<string, Entry<E>>, key: string, of: E): Entry<E> {
  let entry = entries.get(key);
  if (entry === undefined) {
    entry = new Entry(of);
    entries.set(key, entry);
  }
  return entry;
}

function compact(buckets: Float64Array): CompactBuckets {
  let first = 0;
  let end = buckets.length;
  while (first < end && buckets[first] === 0) first++;
  while (end > first && buckets[end - 1] === 0) end--;
  return { first, counts: buckets.slice(first, end) };
}
