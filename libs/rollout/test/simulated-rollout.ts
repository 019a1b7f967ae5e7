/** Simulates gradual rollouts in memory with random client traffic. */
import type { TrafficCounts } from '@sluice/contracts';
import { judge } from '../src/judge.ts';
import { bucketOfLatency, noTraffic } from '../src/traffic.ts';

/** Properties of the requests that one configuration handles. */
export interface Behavior {
  /** Fractions of requests that fail with 5xx, and that are rejected with 4xx. */
  readonly failing: number;
  readonly rejected: number;
  /** Median latency in milliseconds, and the fraction of requests that take 20 times as long. */
  readonly latency: number;
  readonly tail: number;
}

export interface Simulated {
  /** Requests per second to the changed parts, from all clients together. */
  readonly rate: number;
  readonly old: Behavior;
  readonly new: Behavior;
  /** Requests per second from one client whose requests always fail, with or without the change. */
  readonly badClient?: number;
  /** Observation time of a stage in seconds. */
  readonly hold?: number;
}

export interface SimulatedEnd {
  readonly why: string | null;
  /** Time spent in the stage in seconds, and the number of requests handled with the change. */
  readonly seconds: number;
  readonly share: number;
  readonly exposed: number;
}

/** Fraction of clients in each stage. */
const shares = [0.01, 0.1, 0.5];
const cellCount = 8;

type Random = () => number;

/** Returns a pseudorandom number generator for numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Simulates the stages. If `why` is `null`, the last stage has completed. */
export function simulate({ rate, badClient = 0, hold = 30, ...sides }: Simulated, random: Random): SimulatedEnd {
  let exposed = 0;
  const badPoint = random();
  for (const share of shares) {
    const cells = Array.from({ length: cellCount }, () => counts());
    const others = counts();
    for (let second = 1; ; second++) {
      const requests = poisson(rate, random);
      for (let i = 0; i < requests; i++) {
        const isNew = random() < share;
        const into = isNew ? (cells[Math.floor(random() * cellCount)] as Counts) : others;
        addRequest(into, isNew ? sides.new : sides.old, random);
        if (isNew) exposed++;
      }
      const bad = poisson(badClient, random);
      const badInto = badPoint < share ? (cells[0] as Counts) : others;
      for (let i = 0; i < bad; i++) addRequest(badInto, { ...sides.old, failing: 1 }, random);
      const now = sum(cells);
      const { worse, isComplete } = judge({
        new: now,
        old: others,
        cells,
        held: second * 1000,
        hold: hold * 1000,
        waited: second * 1000,
        waitedBefore: (second - 1) * 1000,
        interval: 1000,
        isPaused: false,
        isPassed: second >= hold * 10,
        obstacle: null,
        expected: [],
      });
      if (worse !== null) return { why: worse, seconds: second, share, exposed };
      if (isComplete) break;
    }
  }
  return { why: null, seconds: 0, share: 1, exposed };
}

interface Counts extends TrafficCounts {
  requests: number;
  failures: number;
  clientErrors: number;
  readonly latency: number[];
}

function counts(): Counts {
  return { ...noTraffic, clientErrors: 0, latency: Array<number>(52).fill(0) };
}

function addRequest(into: Counts, { failing, rejected, latency, tail }: Behavior, random: Random): void {
  into.requests++;
  const outcome = random();
  if (outcome < failing) into.failures++;
  else if (outcome < failing + rejected) into.clientErrors++;
  // Generates latencies with a log-normal distribution and a long tail.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const bucket = bucketOfLatency(latency * Math.exp(0.6 * normal) * (random() < tail ? 20 : 1));
  into.latency[bucket] = (into.latency[bucket] ?? 0) + 1;
}

function sum(cells: readonly Counts[]): Counts {
  const all = counts();
  for (const cell of cells) {
    all.requests += cell.requests;
    all.failures += cell.failures;
    all.clientErrors += cell.clientErrors;
    for (const [i, count] of cell.latency.entries()) all.latency[i] = (all.latency[i] ?? 0) + count;
  }
  return all;
}

/** Returns a random number with a Poisson distribution, or with a normal distribution that approximates it. */
function poisson(mean: number, random: Random): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let count = 0;
  for (let product = 1 - random(); product > Math.exp(-mean); product *= 1 - random()) count++;
  return count;
}
