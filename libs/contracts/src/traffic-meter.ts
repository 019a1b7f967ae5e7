/**
 * Interface for apps to report the results of requests that a change affects, so that machines with and without the
 * change can be compared.
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
  /** Requests with a 5xx response. */
  readonly failures: number;
  /** Number of `failures` that an upstream caused; `null` if unknown. */
  readonly upstreamFailures: number | null;
  /** Requests with a 4xx or 3xx response, and those whose connection was closed without a response; `null` if unknown. */
  readonly clientErrors: number | null;
  readonly redirects: number | null;
  readonly cut: number | null;
  /** Latency histogram with two buckets per power of two; the first starts at 2^-7 ms. */
  readonly latency: readonly number[];
}

/** Part of a machine's document that a change affects. */
export interface MeteredChange {
  readonly operations: readonly PatchOperation[];
  /** The documents before and after these operations. */
  readonly before: Json;
  readonly after: Json;
  /** True if the machine has already applied the change. */
  readonly isMade: boolean;
}

/** Reads the counters. */
export interface TrafficReader {
  read(): TrafficCounts;
  /** Returns the number of traffic threads that have died. */
  lost(): number;
}

export interface SideCounts {
  readonly new: TrafficCounts;
  readonly old: TrafficCounts;
  /** Parts of `new`, each with the requests of some clients. */
  readonly cells: readonly TrafficCounts[];
}

/** Reads the counters of requests with and without a change, on a server that serves both. */
export interface SidesReader {
  read(): SideCounts;
  /** Returns the number of traffic threads that have died. */
  lost(): number;
}

/** Contribution of an app, loaded when a change is rolled out. */
export interface TrafficMeter extends Contribution {
  load(): Promise<(server: RunningServer, change: MeteredChange) => TrafficReader>;
  /** Loads the reader for a canary. */
  loadSides(): Promise<(server: RunningServer) => SidesReader>;
}

export const trafficMeters: ContributionPoint<TrafficMeter> = contributionPoint<TrafficMeter>('sluice.traffic_meters');
