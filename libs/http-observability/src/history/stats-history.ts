/**
 * Recent server statistics. A timer in the control thread samples the existing counters, so requests incur no extra cost. Memory is
 * bounded: two rings for the server and two for each tracked upstream, about 130 KB each.
 */
import { floatAt, numberAt } from '@sluice/base';
import { completedHandshakes, failedHandshakes, handshakeBlock } from '@sluice/contracts';
import { inFlightNumber, type TallyReading, type TallyStore, type ThreadBus } from '@sluice/threads';
import {
  parseDialAddress,
  isCanaryBlock,
  parseUpstreamBlockName,
  retries,
  serverConnections,
  upstreamConnections,
  type UpstreamConnections,
  type UpstreamSample,
  type UpstreamSampler,
} from '@sluice/http-app';
import { noCounters, type Counters } from './counters.ts';
import { countedFields, kept, Tracked, type Step } from './tracked.ts';

/** Maximum number of upstreams with a recorded history. */
export const maxUpstreams = 64;

/** Server gauges, recorded in addition to {@link countedFields}. Handshakes are rates per second. */
const serverGauges = ['in_flight', 'connections', 'handshakes', 'failed_handshakes'] as const;
/** Upstream gauges, recorded in addition to {@link countedFields}. `unhealthy` and `down` are fractions of the step, from 0 to 1. */
const upstreamGauges = ['in_flight', 'connections', 'idle', 'waiting', 'unhealthy', 'down'] as const;

/** Names of the recorded server values, in order. */
export const serverFields: readonly string[] = [...countedFields, ...serverGauges];
/** Names of the recorded upstream values, in order. */
export const upstreamFields: readonly string[] = [...countedFields, ...upstreamGauges];

/** Counters of all threads at one point in time. */
interface Reading {
  /** Time of the reading in milliseconds, on the monotonic clock. */
  readonly clock: number;
  readonly total: Counters;
  readonly upstreams: ReadonlyMap<string, Counters>;
  readonly handshakes: number;
  readonly failedHandshakes: number;
}

interface TrackedUpstream {
  readonly tracked: Tracked;
  /** Time for which all proxies considered the upstream unhealthy, in seconds. */
  downtime: number;
  /** Last time at which the upstream was configured or had requests, in milliseconds since 1970. */
  seenAt: number;
}

/** History of one upstream, as returned to clients. */
export interface UpstreamHistory {
  readonly address: string;
  /** Time for which all proxies considered the upstream unhealthy since tracking began, in seconds. */
  readonly downtime_seconds: number;
}

/** Gauges of a server, sampled together with the counters. */
export interface SampledServer {
  readonly bus: ThreadBus | null;
  readonly samplers: readonly UpstreamSampler[];
}

/** Samples statistics and stores their history. */
export class StatsHistory {
  readonly #store: TallyStore;
  readonly #server: SampledServer;
  readonly #total: Tracked;
  readonly #upstreams = new Map<string, TrackedUpstream>();
  /** Start of the current step on the monotonic clock, for each step length. */
  readonly #began: number[];
  #before: Reading;

  constructor(store: TallyStore, server: SampledServer, clock: number = performance.now()) {
    this.#store = store;
    this.#server = server;
    // The first sample also contains earlier counts, unless they are too old.
    const isNew = clock - store.clock < 2000 * kept[0].step;
    this.#before = isNew ? nothingCounted(store.clock) : read(store.read(), clock);
    this.#began = kept.map(() => this.#before.clock);
    this.#total = new Tracked(serverGauges.length, this.#before.total);
  }

  /** Tracked upstreams. */
  get upstreams(): readonly UpstreamHistory[] {
    return [...this.#upstreams].map(([address, { downtime }]) => ({
      address,
      downtime_seconds: Math.round(downtime),
    }));
  }

  get bytes(): number {
    let bytes = this.#total.bytes;
    for (const { tracked } of this.#upstreams.values()) bytes += tracked.bytes;
    return bytes;
  }

  /** Takes a sample at the end of a step. `now` is in milliseconds since 1970, and `clock` is the same time on the monotonic clock. */
  async sample(now: number, clock: number = performance.now()): Promise<void> {
    const [samples, connections, pools] = await Promise.all([
      this.#sampleUpstreams(),
      this.#connections(),
      this.#pools(),
    ]);
    const reading = read(this.#store.read(), clock);
    const ended = this.#ended(now, clock);
    const seconds = Math.max((clock - this.#before.clock) / 1000, 0.001);
    this.#total.add(now, ended, reading.total, [
      Math.max(0, floatAt(reading.total.numbers, inFlightNumber)),
      connections,
      (reading.handshakes - this.#before.handshakes) / seconds,
      (reading.failedHandshakes - this.#before.failedHandshakes) / seconds,
    ]);
    const before = this.#before;
    this.#before = reading;
    for (const sample of samples) this.#addUpstream(sample, { now, ended, seconds, before, reading, pools });
    const sampled = new Set(samples.map(({ address }) => address));
    // Also track addresses that come from requests, because the configuration doesn't contain them.
    for (const address of reading.upstreams.keys())
      if (address !== '' && !sampled.has(address))
        this.#addUpstream(
          { address, inFlight: 0, usedBy: 0, unhealthy: 0 },
          { now, ended, seconds, before, reading, pools },
        );
  }

  /** Reads the history of the server or one upstream. Returns `null` if the upstream is not tracked. */
  read(address: string | null, step: Step, from: number, to: number): ReturnType<Tracked['read']> | null {
    const tracked = address === null ? this.#total : (this.#upstreams.get(address)?.tracked ?? null);
    return tracked?.read(step, from, to) ?? null;
  }

  /** Returns the duration of each step that ends now. */
  #ended(now: number, clock: number): readonly (number | null)[] {
    const [{ step: shortest }] = kept;
    return kept.map(({ step }, index) => {
      if (Math.round(now / (shortest * 1000)) % (step / shortest) !== 0) return null;
      const seconds = (clock - numberAt(this.#began, index)) / 1000;
      this.#began[index] = clock;
      return Math.max(seconds, 0.001);
    });
  }

  #addUpstream(
    { address, inFlight, usedBy, unhealthy }: UpstreamSample,
    { now, ended, seconds, before, reading, pools }: Moment,
  ): void {
    const counters = reading.upstreams.get(address) ?? noCounters();
    const upstream = this.#upstreams.get(address) ?? this.#track(address, now, before);
    if (upstream === null) return;
    const { open, idle, waiting } = pools.get(dialText(address)) ?? noConnections;
    const isDown = usedBy > 0 && unhealthy === usedBy;
    if (isDown) upstream.downtime += seconds;
    upstream.seenAt = now;
    const share = usedBy === 0 ? 0 : unhealthy / usedBy;
    upstream.tracked.add(now, ended, counters, [inFlight, open, idle, waiting, share, isDown ? 1 : 0]);
  }

  /** Starts tracking an upstream. If the limit has been reached, replaces an upstream that is no longer in use. */
  #track(address: string, now: number, before: Reading): TrackedUpstream | null {
    if (this.#upstreams.size >= maxUpstreams) {
      const gone = [...this.#upstreams]
        .filter(([, { seenAt }]) => now - seenAt > kept[0].step * 2000)
        .toSorted(([, a], [, b]) => a.seenAt - b.seenAt)[0];
      if (gone === undefined) return null;
      this.#upstreams.delete(gone[0]);
    }
    const counters = before.upstreams.get(address) ?? noCounters();
    const made = { tracked: new Tracked(upstreamGauges.length, counters), downtime: 0, seenAt: now };
    this.#upstreams.set(address, made);
    return made;
  }

  async #sampleUpstreams(): Promise<readonly UpstreamSample[]> {
    return (await Promise.all(this.#server.samplers.map((each) => each.sample()))).flat();
  }

  async #connections(): Promise<number> {
    const threads = (await this.#server.bus?.gather(serverConnections, null)) ?? [];
    return threads.flatMap((each) => Object.values(each)).reduce((sum, count) => sum + count, 0);
  }

  async #pools(): Promise<ReadonlyMap<string, Omit<UpstreamConnections, 'address'>>> {
    const sums = new Map<string, { open: number; idle: number; waiting: number }>();
    for (const ofThread of (await this.#server.bus?.gather(upstreamConnections, null)) ?? [])
      for (const { address, open, idle, waiting } of ofThread) {
        const sum = sums.get(address) ?? { open: 0, idle: 0, waiting: 0 };
        sums.set(address, { open: sum.open + open, idle: sum.idle + idle, waiting: sum.waiting + waiting });
      }
    return sums;
  }
}

/** Values of a sample that are the same for all upstreams. */
interface Moment {
  readonly now: number;
  readonly ended: readonly (number | null)[];
  readonly seconds: number;
  readonly before: Reading;
  readonly reading: Reading;
  readonly pools: ReadonlyMap<string, Omit<UpstreamConnections, 'address'>>;
}

const noConnections = { open: 0, idle: 0, waiting: 0 };

/** Returns the dial address used as the key in connection pools. Returns an empty string if the address contains placeholders. */
function dialText(address: string): string {
  try {
    return parseDialAddress(address).text;
  } catch {
    return '';
  }
}

function nothingCounted(clock: number): Reading {
  return { clock, total: noCounters(), upstreams: new Map(), handshakes: 0, failedHandshakes: 0 };
}

function read(readings: Iterable<TallyReading>, clock: number): Reading {
  const total = noCounters();
  const upstreams = new Map<string, Counters>();
  let handshakes = 0;
  let failed = 0;
  for (const reading of readings) {
    if (isCanaryBlock(reading.name)) continue;
    if (reading.name === handshakeBlock) {
      handshakes += floatAt(reading.numbers, completedHandshakes);
      failed += floatAt(reading.numbers, failedHandshakes);
      continue;
    }
    const address = parseUpstreamBlockName(reading.name);
    if (address === null) add(total, reading);
    else {
      const counters = upstreams.get(address) ?? noCounters();
      upstreams.set(address, counters);
      add(counters, reading);
      total.numbers[retries] = floatAt(total.numbers, retries) + floatAt(reading.numbers, retries);
    }
  }
  return { clock, total, upstreams, handshakes, failedHandshakes: failed };
}

function add({ numbers, buckets }: Counters, reading: TallyReading): void {
  for (let i = 0; i < numbers.length; i++) numbers[i] = floatAt(numbers, i) + floatAt(reading.numbers, i);
  reading.addBuckets(buckets);
}
