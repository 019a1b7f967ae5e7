/** How apps that serve tell what came of requests to what a change is about, so that machines with and without it can be compared. */
import type { Json } from '@sluice/base';
import {
  contributionPoint,
  type Contribution,
  type ContributionPoint,
  type PatchOperation,
  type RunningServer,
} from '@sluice/registry';

/** What was counted. */
export interface TrafficCounts {
  readonly requests: number;
  /** Those whose response had a status of 5xx. */
  readonly failures: number;
  /** How many took how long: two buckets to each doubling, the first from 2^-7 milliseconds. */
  readonly latency: readonly number[];
}

/** What a change is about, in the document that a machine has. */
export interface MeteredChange {
  readonly operations: readonly PatchOperation[];
  /** The document before them, and after. */
  readonly before: Json;
  readonly after: Json;
  /** Whether the machine has the document after them. */
  readonly isMade: boolean;
}

/** Reads what was counted so far. */
export interface TrafficReader {
  read(): TrafficCounts;
  /** How many threads that serve have died. */
  lost(): number;
}

/** What an app contributes; its code is loaded when a fleet tries a change out. */
export interface TrafficMeter extends Contribution {
  load(): Promise<(server: RunningServer, change: MeteredChange) => TrafficReader>;
}

/** The meters that there are. */
export const trafficMeters: ContributionPoint<TrafficMeter> = contributionPoint<TrafficMeter>('sluice.traffic_meters');
