/**
 * Interface through which apps report the results of requests that a change affects. A rollout uses these results to compare machines that
 * have the change with machines that don't.
 */
import type { Json } from '@sluice/base';
import {
  contributionPoint,
  type Contribution,
  type ContributionPoint,
  type PatchOperation,
  type RunningServer,
} from '@sluice/registry';

export interface TrafficCounts {
  readonly requests: number;
  /** Number of requests with a 5xx response. */
  readonly failures: number;
  /** Number of `failures` that an upstream caused. `null` if unknown. */
  readonly upstreamFailures: number | null;
  /** Number of requests with a 3xx or 4xx response, plus requests whose connection was closed before a response. `null` if unknown. */
  readonly clientErrors: number | null;
  readonly redirects: number | null;
  readonly cut: number | null;
  /** Latency histogram with two buckets per power of two. The first bucket starts at 2^-7 ms. */
  readonly latency: readonly number[];
}

/** Part of a machine's configuration document that a change affects. */
export interface MeteredChange {
  readonly operations: readonly PatchOperation[];
  /** Document without the operations of the change. `after` is the document with these operations applied. */
  readonly before: Json;
  readonly after: Json;
  /** True if the machine has already applied the change. */
  readonly isMade: boolean;
}

/** Reads the counters. */
export interface TrafficReader {
  read(): TrafficCounts;
  /** Returns the number of traffic threads that have crashed. */
  lost(): number;
}

export interface SideCounts {
  readonly new: TrafficCounts;
  readonly old: TrafficCounts;
  /** Breakdown of the counts in `new` by groups of clients. Each element counts the requests of one group. */
  readonly cells: readonly TrafficCounts[];
}

/** Reads the request counters of a server that applies a change to only some of the requests. */
export interface SidesReader {
  read(): SideCounts;
  /** Returns the number of traffic threads that have crashed. */
  lost(): number;
}

/** Traffic meter that an app contributes. It is loaded when a change is rolled out. */
export interface TrafficMeter extends Contribution {
  load(): Promise<(server: RunningServer, change: MeteredChange) => TrafficReader>;
  /** Loads the function that creates a reader for a canary server. */
  loadSides(): Promise<(server: RunningServer) => SidesReader>;
}

export const trafficMeters: ContributionPoint<TrafficMeter> = contributionPoint<TrafficMeter>('sluice.traffic_meters');
